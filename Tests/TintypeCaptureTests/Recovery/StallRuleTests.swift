// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture

struct StallRuleTests {
    private let start = MonotonicTime(nanoseconds: 10_000_000_000)

    @Test(
        arguments: [
            (nil, nil, 2000), (33, nil, 2000), (200, nil, 2000), (201, nil, 2010), (1000, nil, 10000), (33, 10, 2030),
            (33, 1000, 5000), (1000, 1000, 10000),
        ] as [(Int?, Int?, Int)]
    )
    func `the stall limit follows frame interval and exposure`(_ interval: Int?, _ exposure: Int?, _ limit: Int) {
        let limited = StallRule.limit(interval.map { .milliseconds($0) }, exposure: exposure.map { .milliseconds($0) })
        #expect(limited == .milliseconds(limit))
    }

    @Test func `a stall begins at the limit after the last frame`() {
        var rule = StallRule(interval: nil, exposure: nil, now: start)
        #expect(rule.finding(now: start + .seconds(2) - .nanoseconds(1)) == nil)
        #expect(rule.finding(now: start + .seconds(2)) == .silent)
        rule.frameCame(now: start + .seconds(1))
        #expect(rule.finding(now: start + .seconds(2)) == nil)
        #expect(rule.end == start + .seconds(3))
        #expect(rule.finding(now: rule.end) == .silent)
    }

    @Test func `the first frame has its own limit`() {
        var pace = CameraPace()
        pace.wasSilent(for: .seconds(9), isFirst: true)
        var rule = StallRule(pace: pace, interval: nil, exposure: nil, now: start)
        #expect(rule.awaitsFirstFrame && rule.end == start + .seconds(15))
        #expect(rule.finding(now: rule.end - .nanoseconds(1)) == nil && rule.finding(now: rule.end) == .silent)
        rule.frameCame(now: start + .milliseconds(900))
        #expect(!rule.awaitsFirstFrame && rule.end == start + .milliseconds(2900))
        #expect(rule.finding(now: start + .milliseconds(900)) == nil)
        #expect(rule.limit == .seconds(2))
    }

    @Test func `damaged frames count as a stall after three limits`() {
        var rule = StallRule(interval: nil, exposure: nil, now: start)
        for tenth in 0..<60 { rule.frameCame(now: start + .milliseconds(100 * tenth)) }
        #expect(rule.finding(now: start + .seconds(6)) == nil)
        rule.frameCame(now: start + .seconds(6))
        #expect(rule.finding(now: start + .seconds(6)) == .damaged)
        rule.frameWasGood()
        #expect(rule.finding(now: start + .seconds(6)) == nil)
        #expect(rule.lastGood == start + .seconds(6))
    }

    @Test func `the limit grows with the exposure and never shrinks`() {
        var rule = StallRule(interval: .milliseconds(33), exposure: nil, now: start)
        let exposures: [Duration?] = [nil, .seconds(1), .milliseconds(10)]
        let changes = exposures.map { rule.allow(interval: .milliseconds(33), exposure: $0) }
        #expect(changes == [false, true, false])
        #expect(rule.limit == .seconds(5))
        #expect(rule.finding(now: start + .seconds(5) - .nanoseconds(1)) == nil)
    }

    /// A stream whose frames come at these times in milliseconds.
    private func stream(_ rule: StallRule, _ times: Int...) -> StallRule {
        var rule = rule
        for time in times {
            rule.frameCame(now: start + .milliseconds(time))
            rule.frameWasGood()
        }
        return rule
    }

    @Test func `the limit is three times the longest of the last four intervals`() {
        let rule = StallRule(interval: .milliseconds(33), exposure: nil, now: start)
        #expect(stream(rule, 100, 5100).limit == .seconds(15))
        #expect(stream(rule, 100, 5100, 10_100, 10_200, 10_300, 10_400).limit == .seconds(15))
        #expect(stream(rule, 100, 5100, 5200, 5300, 5400, 5500).limit == .seconds(2))
        #expect(stream(rule, 100, 200, 300, 400, 500, 1500).limit == .seconds(3))
        // At most a minute, and never less than by the interval that the driver states.
        #expect(stream(rule, 100, 40_100).limit == .seconds(60))
        let slow = StallRule(interval: .seconds(8), exposure: nil, now: start)
        #expect(stream(slow, 100, 5100).limit == .seconds(80))
    }

    @Test func `a limit changes with the frame that changes it`() {
        var rule = StallRule(interval: nil, exposure: nil, now: start)
        let changes = [1, 2, 7, 8].map { rule.frameCame(now: start + .seconds($0)) }
        #expect(changes == [false, true, true, false])
    }

    @Test func `the time of a slow call is no interval`() {
        var rule = StallRule(interval: nil, exposure: nil, now: start)
        rule.frameCame(now: start + .seconds(1))
        rule.frameCame(now: start + .seconds(10), unwatched: .milliseconds(8900))
        #expect(rule.limit == .seconds(2))
    }

    @Test func `a stream that was slow to start may be slow until it has shown its pace`() {
        let rule = StallRule(interval: .milliseconds(33), exposure: nil, now: start)
        #expect(stream(rule, 5000).limit == .seconds(10))
        #expect(stream(rule, 5000, 5033, 5067, 5100).limit == .seconds(10))
        #expect(stream(rule, 5000, 5033, 5067, 5100, 5133).limit == .seconds(2))
    }

    @Test func `silence before five frames doubles the limit of the next stream, up to 15 s`() {
        var rule = StallRule(interval: .milliseconds(33), exposure: nil, now: start)
        let limits = (0..<6).map { _ in
            rule = stream(rule, 100, 133, 167, 200)
            defer {
                rule.endsSilent()
                rule = StallRule(pace: rule.pace, interval: .milliseconds(33), exposure: nil, now: start)
            }
            return rule.limit
        }
        // More time has not helped, and is tried again.
        #expect(limits == [2, 4, 8, 15, 2, 4].map { .seconds($0) })
        // A stream that shows its pace ends the suspicion.
        rule = stream(rule, 100, 133, 167, 200, 233)
        #expect(rule.limit == .seconds(2))
        rule.endsSilent()
        rule = StallRule(pace: rule.pace, interval: .milliseconds(33), exposure: nil, now: start)
        #expect(rule.limit == .seconds(2))
        rule = stream(rule, 100)
        rule.endsSilent()
        #expect(StallRule(pace: rule.pace, interval: nil, exposure: nil, now: start).limit == .seconds(4))
    }

    @Test func `a slow camera that was silent before its fifth frame is learned again`() {
        var rule = stream(StallRule(interval: nil, exposure: nil, now: start), 100, 5100, 10_100, 15_100, 20_100)
        let limits = (0..<4).map { _ in
            rule = stream(StallRule(pace: rule.pace, interval: nil, exposure: nil, now: start), 100)
            defer { rule.endsSilent() }
            return rule.limit
        }
        #expect(limits == [15, 2, 4, 8].map { .seconds($0) })
    }

    @Test func `short streams forget a long interval`() {
        var rule = stream(StallRule(interval: nil, exposure: nil, now: start), 100, 20_100)
        let limits = (0..<4).map { _ in
            rule = stream(StallRule(pace: rule.pace, interval: nil, exposure: nil, now: start), 100, 200)
            return rule.limit
        }
        #expect(limits == [60, 60, 60, 2].map { .seconds($0) })
    }

    @Test func `a next frame may be as old as two intervals, but not as old as a trigger is rare`() {
        let times = [100, 20_100]
        for (stall, queue) in [(SilenceLimit.auto, 40), (.fixed(.seconds(180)), 40), (.off, 2)] {
            var rule = StallRule(stall: stall, interval: .milliseconds(33), exposure: nil, now: start)
            #expect(rule.limits.queue == .seconds(2))
            let changes = times.map { rule.frameCame(now: start + .milliseconds($0)) }
            #expect(changes == [false, stall != .off] && rule.limits.queue == .seconds(queue))
        }
    }

    @Test func `the next stream begins with the limit of the one before`() {
        let rule = stream(StallRule(interval: nil, exposure: nil, now: start), 100, 5100, 10_100, 15_100, 20_100)
        let next = StallRule(pace: rule.pace, interval: nil, exposure: nil, now: start)
        #expect(next.limit == .seconds(15) && next.end == start + .seconds(2))
    }

    @Test func `configured limits replace derived and learned ones`() {
        var pace = CameraPace()
        pace.wasSilent(for: .seconds(9), isFirst: true)
        pace.wasSilent(for: .seconds(9), isFirst: false)
        func rule(_ stall: SilenceLimit, _ firstFrame: SilenceLimit = .auto) -> StallRule {
            let exposure = Duration.seconds(1)
            return StallRule(
                stall: stall,
                firstFrame: firstFrame,
                pace: pace,
                interval: nil,
                exposure: exposure,
                now: start
            )
        }
        for stall in [Duration.seconds(1), .seconds(3600)] {
            var fixed = stream(rule(.fixed(stall)), 100, 5100)
            #expect(fixed.limit == stall && fixed.end == start + .milliseconds(5100) + stall)
            #expect(!fixed.allow(interval: nil, exposure: .seconds(3)) && fixed.limit == stall)
        }
        // The first frame may take as long as any other.
        #expect(rule(.fixed(.seconds(60))).end == start + .seconds(60))
        #expect(rule(.fixed(.seconds(1))).end == start + .seconds(15))
        #expect(rule(.fixed(.seconds(60)), .fixed(.seconds(3))).end == start + .seconds(3))
        #expect(rule(.auto, .fixed(.seconds(3))).end == start + .seconds(3))
    }

    @Test func `stills get the time by which the limits exceed the usual one, and none for off`() {
        func extra(_ stall: SilenceLimit, _ firstFrame: SilenceLimit, learned: Int) -> Duration {
            var pace = CameraPace()
            pace.wasSilent(for: .milliseconds(learned * 500), isFirst: true)
            let rule = StallRule(
                stall: stall,
                firstFrame: firstFrame,
                pace: pace,
                interval: nil,
                exposure: nil,
                now: start
            )
            var configuration = SessionConfiguration()
            (configuration.stall, configuration.firstFrame) = (stall, firstFrame)
            return rule.limits.extraWait(configuration)
        }
        #expect(extra(.auto, .auto, learned: 1) == .zero && extra(.auto, .auto, learned: 8) == .seconds(6))
        #expect(extra(.fixed(.seconds(60)), .auto, learned: 8) == .seconds(58))
        #expect(extra(.fixed(.seconds(1)), .fixed(.seconds(20)), learned: 8) == .seconds(18))
        #expect(extra(.off, .auto, learned: 8) == .zero)
        #expect(extra(.off, .fixed(.seconds(20)), learned: 8) == .seconds(18))
        // Before the first opening nothing is learned.
        var configuration = SessionConfiguration()
        configuration.firstFrame = .fixed(.seconds(20))
        #expect(FrameLimits().extraWait(configuration) == .seconds(18))
    }

    @Test func `with off silence is no stall, but a run of damaged frames is`() {
        var rule = StallRule(stall: .off, interval: .milliseconds(33), exposure: nil, now: start)
        let late = start + .seconds(1_000_000)
        #expect(rule.finding(now: late) == nil)
        rule = stream(rule, 100)
        #expect(rule.finding(now: late) == nil && rule.limit > .seconds(1_000_000_000))
        rule.frameCame(now: late)
        // One damaged frame after a long silence is no run of them.
        #expect(rule.finding(now: late + .seconds(1000)) == nil)
        for hour in 1...3 { rule.frameCame(now: late + .seconds(3600 * hour)) }
        // Nor are four.
        #expect(rule.finding(now: late + .seconds(10_800)) == nil)
        rule.frameCame(now: late + .seconds(14_400))
        #expect(rule.finding(now: late + .seconds(14_400)) == .damaged)
        let limited = StallRule(stall: .off, firstFrame: .fixed(.seconds(5)), interval: nil, exposure: nil, now: start)
        #expect(limited.finding(now: start + .seconds(5)) == .silent)
        #expect(stream(limited, 100).finding(now: late) == nil)
    }

    private static let limits: [(String, SilenceLimit?)] = [
        ("auto", .auto), ("off", .off), ("60s", .fixed(.seconds(60))), ("1s", .fixed(.seconds(1))),
        ("1d", .fixed(.seconds(86_400))), ("999ms", nil), ("25h", nil), ("60", nil), ("never", nil), ("", nil),
    ]

    @Test(arguments: limits)
    func `parses a limit of silence`(_ text: String, _ limit: SilenceLimit?) {
        #expect(SilenceLimit(text) == limit)
    }
}
