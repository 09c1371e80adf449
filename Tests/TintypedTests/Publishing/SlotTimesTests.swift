// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import tintyped

/// The schedule as a function of the moment: which slots follow on it.
struct SlotTimesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let times: SlotTimes
        let from: String
        let slots: [String]

        init(
            _ description: String,
            every: Duration,
            _ alignment: SlotTimes.Alignment = .clock(minutes: 0),
            between hours: String? = nil,
            days: String = "mon-sun",
            from: String,
            _ slots: String...
        ) {
            testDescription = description
            times = SlotTimes(
                every: every,
                alignment: alignment,
                hours: hours.flatMap(DayHours.init),
                days: Set(Weekday.days(days) ?? [])
            )
            self.from = from
            self.slots = slots
        }
    }

    static let noon = SlotTimes.Alignment.clock(minutes: 12 * 60)

    static let cases = [
        Case(
            "quarters of an hour",
            every: .seconds(900),
            from: "2026-11-21 12:07",
            "2026-11-21 12:15",
            "2026-11-21 12:30"
        ),
        Case("a slot itself is the first", every: .seconds(900), from: "2026-11-21 12:15", "2026-11-21 12:15"),
        Case(
            "tenths of a second",
            every: .milliseconds(100),
            from: "2026-11-21 23:59:59.85",
            "2026-11-21 23:59:59.9",
            "2026-11-22 00:00:00",
            "2026-11-22 00:00:00.1"
        ),
        Case(
            "what does not divide a day begins anew at midnight",
            every: .seconds(420),
            from: "2026-11-21 23:50",
            "2026-11-21 23:55",
            "2026-11-22 00:00",
            "2026-11-22 00:07"
        ),
        Case(
            "every hour at half past",
            every: .seconds(3600),
            .clock(minutes: 30),
            from: "2026-11-21 12:31",
            "2026-11-21 13:30",
            "2026-11-21 14:30"
        ),
        Case(
            "a time of the day stands for all that are so many hours away",
            every: .seconds(8 * 3600),
            noon,
            from: "2026-11-21 03:00",
            "2026-11-21 04:00",
            "2026-11-21 12:00",
            "2026-11-21 20:00",
            "2026-11-22 04:00"
        ),
        Case(
            "noon of every day",
            every: .seconds(86_400),
            noon,
            from: "2026-11-21 12:00:01",
            "2026-11-22 12:00",
            "2026-11-23 12:00"
        ),
        Case(
            "weeks begin on Monday",
            every: .seconds(7 * 86_400),
            from: "2026-11-21 00:00",
            "2026-11-23 00:00",
            "2026-11-30 00:00"
        ),
        Case(
            "every other day of the week, that is every 14 days",
            every: .seconds(2 * 86_400),
            noon,
            days: "sat",
            from: "2026-11-20 00:00",
            "2026-11-21 12:00",
            "2026-12-05 12:00"
        ),
        Case(
            "from the start on, whatever the clock says",
            every: .seconds(5400),
            .start,
            from: "2026-11-21 12:00:07.5",
            "2026-11-21 12:00:07.5",
            "2026-11-21 13:30:07.5",
            "2026-11-21 15:00:07.5"
        ),
        Case(
            "from the start on through midnight",
            every: .seconds(86_400),
            .start,
            from: "2026-11-21 23:00",
            "2026-11-21 23:00",
            "2026-11-22 23:00"
        ),
        Case(
            "from the start and then from the begin of each part of a day",
            every: .seconds(7 * 3600),
            .start,
            between: "06:00-20:00",
            from: "2026-11-21 08:00",
            "2026-11-21 08:00",
            "2026-11-21 15:00",
            "2026-11-22 06:00",
            "2026-11-22 13:00",
            "2026-11-23 06:00"
        ),
        Case(
            "the begin of a part of a day is in it, its end is not",
            every: .seconds(600),
            between: "06:00-20:00",
            from: "2026-07-01 19:41",
            "2026-07-01 19:50",
            "2026-07-02 06:00",
            "2026-07-02 06:10"
        ),
        Case(
            "up to the end of the day",
            every: .seconds(3600),
            between: "22:00-24:00",
            from: "2026-11-21 12:00",
            "2026-11-21 22:00",
            "2026-11-21 23:00",
            "2026-11-22 22:00"
        ),
        Case(
            "the night of Friday goes on into Saturday",
            every: .seconds(3600),
            between: "22:00-02:00",
            days: "fri",
            from: "2026-11-20 00:30",
            "2026-11-20 22:00",
            "2026-11-20 23:00",
            "2026-11-21 00:00",
            "2026-11-21 01:00",
            "2026-11-27 22:00"
        ),
        Case(
            "in the night of Friday, after midnight",
            every: .seconds(3600),
            between: "22:00-02:00",
            days: "fri",
            from: "2026-11-21 00:30",
            "2026-11-21 01:00",
            "2026-11-27 22:00"
        ),
        Case(
            "only at weekends",
            every: .seconds(12 * 3600),
            days: "sat-sun",
            from: "2026-11-20 00:00",
            "2026-11-21 00:00",
            "2026-11-21 12:00",
            "2026-11-22 00:00",
            "2026-11-22 12:00",
            "2026-11-28 00:00"
        ),
        Case(
            "before 1970",
            every: .seconds(86_400),
            noon,
            from: "1969-12-30 12:00:00.5",
            "1969-12-31 12:00",
            "1970-01-01 12:00"
        ),
        Case("never", every: .seconds(86_400), noon, between: "13:00-14:00", from: "2026-11-21 00:00"),
        Case("on none of the days", every: .seconds(14 * 86_400), noon, days: "tue", from: "2026-11-21 00:00"),
    ]

    @Test(arguments: cases) func `slots follow on each other`(_ one: Case) {
        var slot = one.times.run(from: moment(one.from))?.first
        guard !one.slots.isEmpty else {
            #expect(slot == nil)
            return
        }
        for wanted in one.slots {
            #expect(slot == moment(wanted), "\(slot.map(\.description) ?? "none"), not \(wanted)")
            slot = slot.flatMap { one.times.next(after: $0) }
        }
    }

    @Test(arguments: cases.filter { !$0.slots.isEmpty }) func `slots are counted without going from one to the next`(
        _ one: Case
    ) throws {
        let first = try #require(one.times.run(from: moment(one.from))?.first)
        var slot = first
        for count in 1...60 {
            let next = try #require(one.times.next(after: slot))
            #expect(next > slot)
            for end in [slot.microseconds, (slot.microseconds + next.microseconds) / 2, next.microseconds - 1] {
                let counted = one.times.count(from: first, through: Timestamp(microseconds: end))
                #expect(counted.count == count && counted.last == slot)
            }
            slot = next
        }
    }

    @Test func `a slot of the daemon's zone is where its clock says`() throws {
        let times = SlotTimes(every: .seconds(86_400), alignment: Self.noon)
        let slot = try #require(times.run(from: .now())?.first)
        let seconds = LocalTime(slot).secondsFromUTC
        #expect((Int(slot.microseconds / 1_000_000) + seconds) % 86_400 == 43_200)
    }

    @Test(arguments: [
        ("mon", [0]), ("sun", [6]), ("mon-fri", [0, 1, 2, 3, 4]), ("fri-mon", [4, 5, 6, 0]), ("sat-sat", [5]),
    ])
    func `days of the week are read`(_ text: String, _ days: [Int]) {
        #expect(Weekday.days(text)?.map(\.rawValue) == days)
    }

    @Test(arguments: ["", "Mon", "monday", "mon-", "-mon", "mon-tue-wed", "mon tue", "mon,tue"])
    func `what is no day is refused`(_ text: String) {
        #expect(Weekday.days(text) == nil)
    }

    @Test(arguments: ["06:00-20:00", "22:00-05:00", "00:00-00:01", "23:59-00:00", "00:01-24:00"])
    func `parts of a day are read, and written alike`(_ text: String) {
        #expect(DayHours(text)?.description == text)
    }

    @Test(arguments: [
        "", "06:00", "6:00-20:00", "06:00-20:60", "06:00-24:01", "24:00-06:00", "06:00-06:00", "00:00-24:00",
        "06:00–20:00", "06:00 - 20:00", "06:00-20:00-21:00", "+6:00-20:00", "٠٦:٠٠-20:00",
    ])
    func `what is no part of a day is refused`(_ text: String) {
        #expect(DayHours(text) == nil)
    }
}
