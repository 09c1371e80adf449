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
        var rule = StallRule(interval: nil, exposure: nil, firstFrameLimit: .seconds(15), now: start)
        #expect(rule.awaitsFirstFrame && rule.end == start + .seconds(15))
        #expect(rule.finding(now: rule.end - .nanoseconds(1)) == nil && rule.finding(now: rule.end) == .silent)
        rule.frameCame(now: start + .seconds(9))
        #expect(!rule.awaitsFirstFrame && rule.end == start + .seconds(11))
        #expect(rule.finding(now: start + .seconds(9)) == nil)
        #expect(rule.limit == .seconds(2))
    }

    @Test func `damaged frames count as a stall after three limits`() {
        var rule = StallRule(interval: nil, exposure: nil, now: start)
        for second in 0...6 { rule.frameCame(now: start + .seconds(second)) }
        #expect(rule.finding(now: start + .seconds(6) - .nanoseconds(1)) == nil)
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
}
