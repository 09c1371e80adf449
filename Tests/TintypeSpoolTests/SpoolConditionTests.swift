// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct SpoolConditionTests {
    private static let gone = Problem(.spoolUnavailable, "The disk is gone.", remedy: "Plug it in.")

    @Test func `a request retries 0.2 s after the last attempt`() throws {
        let clock = TestClock()
        let condition = SpoolCondition(clock: clock, logger: .quiet)
        condition.lost(Self.gone)
        var now = clock.now
        for _ in 0..<9 {
            #expect(condition.isDueForRequest(at: now))
            condition.failedAgain(Self.gone, at: now)
            // Immediate requests get the result of the attempt.
            #expect(!condition.isDueForRequest(at: now + .milliseconds(199)))
            now = now + .milliseconds(200)
        }
        // The automatic retry waits longer.
        #expect(try #require(condition.due) - now == .milliseconds(4800))
    }

    @Test func `an available spool needs no retry`() {
        let condition = SpoolCondition(clock: TestClock(), logger: .quiet)
        let end = MonotonicTime(nanoseconds: .max)
        #expect(!condition.isDueForRequest(at: end) && condition.due == nil)
        condition.lost(Self.gone)
        condition.opened(limit: nil)
        #expect(!condition.isDueForRequest(at: end) && condition.due == nil)
    }
}
