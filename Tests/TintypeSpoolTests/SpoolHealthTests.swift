// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct SpoolHealthTests {
    private static let gone = Problem(.spoolUnavailable, "The disk is gone.", remedy: "Plug it in.")

    @Test func `a request retries 0.2 s after the last attempt`() throws {
        let clock = TestClock()
        let health = SpoolHealth(clock: clock, logger: .quiet)
        health.lost(Self.gone)
        var now = clock.now
        for _ in 0..<9 {
            #expect(health.isDueForRequest(at: now))
            health.failedAgain(Self.gone, at: now)
            // Immediate requests get the result of the attempt.
            #expect(!health.isDueForRequest(at: now + .milliseconds(199)))
            now = now + .milliseconds(200)
        }
        // The automatic retry waits longer.
        #expect(try #require(health.due) - now == .milliseconds(4800))
    }

    @Test func `an available spool needs no retry`() {
        let health = SpoolHealth(clock: TestClock(), logger: .quiet)
        let end = MonotonicTime.distantFuture
        #expect(!health.isDueForRequest(at: end) && health.due == nil)
        health.lost(Self.gone)
        health.opened(limit: nil)
        #expect(!health.isDueForRequest(at: end) && health.due == nil)
    }
}
