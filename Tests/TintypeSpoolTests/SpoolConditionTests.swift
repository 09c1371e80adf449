// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// When an attempt is made to open a spool that was lost.
@Suite struct SpoolConditionTests {
    private static let gone = Problem(.spoolUnavailable, "The disk is gone.", remedy: "Plug it in.")

    @Test func `however long a spool has been lost, a request 0.2 s after the last attempt makes another`() throws {
        let clock = TestClock()
        let condition = SpoolCondition(clock: clock, logger: .quiet)
        condition.lost(Self.gone)
        var now = clock.now
        for _ in 0..<9 {
            #expect(condition.isDueForRequest(at: now))
            condition.failedAgain(Self.gone, at: now)
            // Requests that come at once are told what the attempt has found.
            #expect(!condition.isDueForRequest(at: now + .milliseconds(199)))
            now = now + .milliseconds(200)
        }
        // By itself it waits longer.
        #expect(try #require(condition.due) - now == .milliseconds(4800))
    }

    @Test func `a spool that is available needs no attempt`() {
        let condition = SpoolCondition(clock: TestClock(), logger: .quiet)
        let end = MonotonicTime(nanoseconds: .max)
        #expect(!condition.isDueForRequest(at: end) && condition.due == nil)
        condition.lost(Self.gone)
        condition.opened(limit: nil)
        #expect(!condition.isDueForRequest(at: end) && condition.due == nil)
    }
}
