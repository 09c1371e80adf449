// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeCapture

struct PhaseTests {
    private static let now = MonotonicTime(nanoseconds: 10_000_000_000)
    private static let reason = Problem(.cameraBusy, "Another program uses it.", remedy: "End that.")
    private static let interruption = Interruption(
        reason: reason,
        since: Timestamp(microseconds: 1),
        nextAttempt: now + .seconds(1),
        earliest: now + .milliseconds(100)
    )

    private static func phases() -> [Phase] {
        [
            .off, .opening, .streaming(CaptureStream(began: now)), .reopening(at: now), .interrupted(interruption),
            .failed(interruption), .ended,
        ]
    }

    private static func events() -> [(name: String, event: Phase.Event)] {
        [
            ("opens", .opens), ("streams", .streams(CaptureStream(began: now))),
            ("fails, is retried", .fails(interruption, isRetried: true)),
            ("fails", .fails(interruption, isRetried: false)),
            ("source changes", .sourceChanges(reopensAt: now + .seconds(2))), ("closes", .closes),
            ("gives up", .givesUp), ("ends", .ends),
        ]
    }

    /// Transition table of ``Phase``; events without an entry must not occur in that phase.
    private static let table: [String: [String: String]] = [
        "off": ["opens": "opening", "closes": "off", "gives up": "off", "ends": "ended"],
        "opening": ["streams": "streaming", "fails, is retried": "interrupted", "fails": "failed"],
        "streaming": [
            "opens": "opening", "fails, is retried": "interrupted", "fails": "failed", "source changes": "reopening",
            "closes": "off", "ends": "ended",
        ],
        "reopening": ["opens": "opening", "closes": "off", "gives up": "off", "ends": "ended"],
        "interrupted": ["opens": "opening", "closes": "off", "gives up": "failed", "ends": "ended"],
        "failed": ["opens": "opening", "closes": "off", "gives up": "failed", "ends": "ended"],
        "ended": [:],
    ]

    @Test func `phase transitions match the table`() {
        for phase in Self.phases() {
            for (name, event) in Self.events() {
                #expect(phase.after(event)?.name == Self.table[phase.name]?[name], "\(phase.name), \(name)")
            }
        }
    }

    @Test func `giving up keeps the reason and next attempt of an interruption`() {
        let left = Phase.interrupted(Self.interruption).after(.givesUp)
        #expect(left?.state(by: TestClock()) == .failed(reason: Self.reason))
        #expect(left?.interruption?.nextAttempt == Self.interruption.nextAttempt)
    }

    @Test func `the API state is derived from the phase`() {
        let states = Self.phases().map { $0.state(by: TestClock()).name }
        #expect(states == [.off, .opening, .settling, .opening, .interrupted, .failed, .off])
        var stream = CaptureStream(began: Self.now)
        stream.isSettlingAwaited = false
        #expect(Phase.streaming(stream).state(by: TestClock()) == .running)
        let clock = TestClock()
        let interrupted = Phase.interrupted(Self.interruption).state(by: clock)
        #expect(interrupted.reason == Self.reason && interrupted.since == Self.interruption.since)
        // The next attempt is converted to the wall clock at the moment of the query.
        let late = interrupted.attempt.map { $0.at - clock.wall(at: Self.interruption.nextAttempt) }
        #expect(late.map { $0 >= .milliseconds(-1) && $0 <= .milliseconds(1) } == true)
    }

    @Test func `only interrupted phases have a next attempt`() {
        for var phase in Self.phases() {
            let had = phase.interruption != nil
            phase.interruption?.nextAttempt = Self.now
            #expect(phase.interruption?.nextAttempt == (had ? Self.now : nil))
            #expect(had == ["interrupted", "failed"].contains(phase.name))
        }
    }
}
