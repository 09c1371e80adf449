// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct PublishingStatusTests {
    private func slots(_ second: Int64, _ reason: String, count: UInt64 = 1) -> MissedSlots {
        let first = Timestamp(microseconds: second * 1_000_000)
        let last = Timestamp(microseconds: (second + Int64(count) - 1) * 1_000_000)
        return MissedSlots(first: first, last: last, count: count, reason: reason, detail: "It is \(second).")
    }

    @Test func `missed slots are summed by reason and by run`() {
        var status = PublishingStatus(schedule: "every 1s")
        #expect(status.missed == nil && status.lastMissed == nil)
        status.addMissed(slots(0, "busy", count: 2), asNewRun: true)
        status.addMissed(slots(2, "busy"), asNewRun: false)
        status.addMissed(slots(3, "asleep"), asNewRun: false)
        status.addMissed(slots(9, "asleep"), asNewRun: true)
        #expect(status.missed == ["busy": 3, "asleep": 2])
        #expect(status.lastMissed?.map(\.count) == [3, 1, 1])
        #expect(status.lastMissed?.first?.last == slots(2, "busy").last)
        #expect(status.lastMissed?.first?.detail == "It is 2.")
    }

    @Test func `keeps only the last 16 runs`() {
        var status = PublishingStatus(schedule: "every 1s")
        for second in 0..<40 { status.addMissed(slots(Int64(second), "busy"), asNewRun: true) }
        #expect(status.missed == ["busy": 40])
        #expect(status.lastMissed?.map(\.detail) == (24..<40).map { "It is \($0)." })
    }
}
