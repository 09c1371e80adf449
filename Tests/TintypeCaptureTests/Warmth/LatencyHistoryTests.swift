// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture

struct LatencyHistoryTests {
    private func summary(of milliseconds: [Int]) -> CameraLatency.Summary? {
        var history = LatencyHistory()
        for value in milliseconds { history.add(.milliseconds(value)) }
        return history.summary
    }

    private func expected(_ count: Int, _ median: Double, _ worst: Double) -> CameraLatency.Summary {
        CameraLatency.Summary(
            count: count,
            medianMs: Milliseconds(.milliseconds(median)),
            worstMs: Milliseconds(.milliseconds(worst))
        )
    }

    @Test func `there are no figures until something was measured`() { #expect(summary(of: []) == nil) }

    @Test func `the median is the middle, or between the two in the middle`() {
        #expect(summary(of: [7]) == expected(1, 7, 7))
        #expect(summary(of: [30, 10, 50]) == expected(3, 30, 50))
        #expect(summary(of: [40, 10, 20, 30]) == expected(4, 25, 40))
    }

    @Test func `the newest sixty-four count, and no older one`() {
        #expect(summary(of: [9000] + Array(1...64)) == expected(64, 32.5, 64))
        #expect(summary(of: Array(1...1000)) == expected(64, 968.5, 1000))
    }
}
