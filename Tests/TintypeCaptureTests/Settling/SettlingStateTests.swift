// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

struct SettlingStateTests {
    private let now = TestClock().now

    private func key(_ ordinal: UInt64, stream: UInt64 = 1) -> FrameKey { FrameKey(stream: stream, ordinal: ordinal) }

    private func criteria(_ settle: SettlePolicy, by limit: Duration = .seconds(5)) -> FrameCriteria {
        FrameCriteria(
            fresh: .request,
            options: EncodingOptions(ImageOptions(), integrity: .strict),
            settle: settle,
            settleBy: now + limit,
            requestedAt: now
        )
    }

    private func begun() -> SettlingState {
        var state = SettlingState()
        state.begin(stream: 1, until: now + .seconds(3))
        return state
    }

    @Test func `frames count as settled from the reported one on`() {
        var state = begun()
        #expect(state.isSettled(key(5)) == nil)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: nil, hasSeenChange: false)
        #expect(state.isSettled(key(5)) == false)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(4), hasSeenChange: false)
        #expect(state.isSettled(key(5)) == true && state.isSettled(key(4)) == true)
        #expect(state.isSettled(key(3)) == false && state.isSettled(key(9, stream: 2)) == nil)
    }

    @Test func `remembers settling of the previous stream only`() {
        var state = begun()
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(4), hasSeenChange: false)
        state.begin(stream: 1, until: now)
        #expect(state.isSettled(key(5)) == nil)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(8), hasSeenChange: false)
        state.begin(stream: 2, until: now)
        #expect(state.isSettled(key(8)) == true && state.isSettled(key(7)) == false)
        #expect(state.isSettled(key(1, stream: 2)) == nil)
        state.begin(stream: 3, until: now)
        #expect(state.isSettled(key(8)) == nil)
    }

    @Test func `the settle policy limits the wait`() {
        let state = begun()
        for (criteria, seconds, isEnough) in [
            (criteria(.never), 0.0, true), (criteria(.auto), 2.9, false), (criteria(.auto), 3, true),
            (criteria(.auto, by: .seconds(1)), 0.9, false), (criteria(.auto, by: .seconds(1)), 1, true),
            (criteria(.always), 100, false),
        ] {
            let moment = now + .milliseconds(Int(seconds * 1000))
            #expect(state.isGoodEnough(key(5), for: criteria, at: moment) == isEnough, "\(criteria.settle) \(seconds)")
            #expect(state.isAwaited(by: criteria, at: moment) == !isEnough, "\(criteria.settle) \(seconds)")
        }
        var settled = state
        settled.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(5), hasSeenChange: false)
        #expect(settled.isGoodEnough(key(5), for: criteria(.always), at: now))
        #expect(!settled.isGoodEnough(key(4), for: criteria(.always), at: now))
        #expect(!settled.isAwaited(by: criteria(.always), at: now))
    }

    @Test func `each analysis is counted until settled`() {
        var state = begun()
        state.requestAnalyses(of: key(1), for: criteria(.auto))
        #expect(state.analysesLeft == SettlingState.analysesPerStill)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: nil, hasSeenChange: false)
        #expect(state.analysesLeft == SettlingState.analysesPerStill - 1)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(2), hasSeenChange: false)
        #expect(state.analysesLeft == 0)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: nil, hasSeenChange: false)
        #expect(state.settledFrom == key(2) && state.analysesLeft == 0)
    }
}

struct SettlingHistoryTests {
    private func level(_ luma: UInt8 = 90) throws -> FrameStatistics {
        let bytes = [UInt8](repeating: luma, count: 64)
        return try unsafe FrameStatistics(bytes.span.bytes, layout: .grey(FrameSize(width: 8, height: 8)))
    }

    @Test func `summarises measurements as medians and maxima`() throws {
        var history = SettlingHistory()
        #expect(history.summary == nil)
        for (frames, milliseconds) in [(9, 300), (5, 130), (30, 1000)] {
            history.add(frames: frames, time: .milliseconds(milliseconds), isAtOnce: false, level: try level())
        }
        let expected = CameraLatency.Settling(
            count: 3,
            medianMs: Milliseconds(.milliseconds(300)),
            worstMs: Milliseconds(.milliseconds(1000)),
            medianFrames: 9,
            worstFrames: 30
        )
        #expect(history.summary == expected)
    }

    @Test func `keeps only the newest measurements`() throws {
        var history = SettlingHistory()
        history.add(frames: 100, time: .seconds(9), isAtOnce: false, level: try level())
        for _ in 0..<SettlingHistory.length {
            history.add(frames: 5, time: .milliseconds(100), isAtOnce: false, level: try level())
        }
        #expect(history.summary?.count == SettlingHistory.length && history.summary?.worstFrames == 5)
    }

    @Test func `expects a settled first frame after three such starts`() throws {
        var history = SettlingHistory()
        for _ in 0..<2 { history.add(frames: 5, time: .zero, isAtOnce: true, level: try level()) }
        #expect(history.expected == nil)
        history.add(frames: 5, time: .zero, isAtOnce: true, level: try level())
        #expect(history.expected?.meanLuma == 90)
        // A single frame does not change the expectation.
        history.add(frames: 1, time: .zero, isAtOnce: true, level: try level(97))
        #expect(history.expected?.meanLuma == 90)
        history.add(frames: 5, time: .zero, isAtOnce: true, level: try level(140))
        #expect(history.expected?.meanLuma == 140)
        history.add(frames: 12, time: .zero, isAtOnce: false, level: try level())
        #expect(history.expected == nil)
    }

    @Test func `the settle limit is twice the worst time, within 1 s to 3 s`() throws {
        let interval = Duration.milliseconds(20)
        for (worst, limit) in [
            (Duration.milliseconds(100), Duration.seconds(1)), (.milliseconds(800), .milliseconds(1600)),
            (.seconds(2), .seconds(3)),
        ] {
            var history = SettlingHistory()
            for _ in 0..<2 { history.add(frames: 9, time: worst, isAtOnce: false, level: try level()) }
            #expect(history.limit(interval: interval) == .seconds(3))
            history.add(frames: 9, time: worst, isAtOnce: false, level: try level())
            #expect(history.limit(interval: interval) == limit)
            // A slow camera needs as long as its frames take.
            #expect(history.limit(interval: .seconds(1)) == .seconds(6))
        }
    }
}

struct AnalysisCacheTests: NumberedFrames {
    let start = TestClock().now

    private func look(_ ordinal: UInt64, stream: UInt64) -> FrameAnalysis {
        FrameAnalysis(stamp: stamp(ordinal, stream: stream), statistics: nil)
    }

    @Test(arguments: [true, false])
    func `an analysis of the old stream does not hide one of the new`(_ isLast: Bool) {
        let looks = AnalysisCache()
        let (old, new) = (look(9, stream: 1), look(1, stream: 2))
        for look in isLast ? [new, old] : [old, new] { looks.finish(look) }
        #expect(looks.takeFinished()?.key == new.key)
        #expect(looks.takeFinished() == nil)
    }
}
