// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeImaging
import TintypeModel

@testable import tintyped

/// Slots of a schedule from a given moment, with a separate process for each time zone.
struct SlotTimesTests {
    /// Start moment and the slots from there.
    private static let cases: [(zone: String, schedule: String, from: String, slots: String)] = [
        // The start moment is itself a slot.
        ("UTC", "every: 15m, align: clock", "2026-11-21 12:15", "12:15, 12:30"),
        ("UTC", "every: 100ms, align: clock", "2026-11-21 23:59:59.85", "23:59:59.9, 22 00:00, 22 00:00:00.1"),
        // An interval that does not divide a day restarts at midnight.
        ("UTC", "every: 7m, align: clock", "2026-11-21 23:50", "23:55, 22 00:00, 22 00:07"),
        // A time of day also aligns shorter intervals.
        ("UTC", "every: 1h, align: 12:30", "2026-11-21 23:31", "22 00:30, 22 01:30"),
        ("UTC", "every: 8h, align: 12:00", "2026-11-21 03:00", "04:00, 12:00, 20:00, 22 04:00"),
        // Weeks begin on Monday.
        ("UTC", "every: 7d, align: clock", "2026-11-21 00:00", "23 00:00, 30 00:00"),
        // Every other day on one day of the week is every 14 days.
        ("UTC", "every: 2d, align: 12:00, days: sat", "2026-11-20 00:00", "21 12:00, 12-05 12:00"),
        // From the start through midnight, or to the start of the next daily window.
        ("UTC", "every: 9h", "2026-11-21 12:00:07.5", "12:00:07.5, 21:00:07.5, 22 06:00:07.5"),
        ("UTC", "every: 7h, between: 06:00-20:00", "2026-11-21 08:00", "08:00, 15:00, 22 06:00, 22 13:00, 23 06:00"),
        // A daily window includes its start and excludes its end.
        ("UTC", "every: 10m, align: clock, between: 06:00-20:00", "2026-07-01 19:41", "19:50, 02 06:00, 02 06:10"),
        ("UTC", "every: 1h, align: clock, between: 22:00-24:00", "2026-11-21 12:00", "22:00, 23:00, 22 22:00"),
        // The window of Friday night extends into Saturday.
        (
            "UTC", "every: 1h, align: clock, between: 23:00-02:00, days: fri", "2026-11-20 00:30",
            "23:00, 21 00:00, 21 01:00, 27 23:00"
        ),
        ("UTC", "every: 12h, align: clock, days: sat-sun", "2026-11-22 00:00", "00:00, 12:00, 28 00:00"),
        // Clock of a board without a valid date.
        ("America/Havana", "every: 1d, align: 12:00", "1969-12-31 11:00-05", "12:00-05, 1970-01-01 12:00-05"),
        // A repeated midnight and a skipped one.
        ("America/Havana", "every: 6h, align: clock", "2026-11-01 00:00-04", "00:00-04, 06:00-05"),
        ("America/Sao_Paulo", "every: 1d, align: clock", "2017-10-14 12:00-03", "15 01:00-02, 16 00:00-02"),
        // A clock set back to the previous day.
        ("America/Sao_Paulo", "every: 1d, align: 23:30", "2018-02-17 00:00-02", "23:30-02, 18 23:30-03"),
        ("America/St_Johns", "every: 1d, align: 02:30", "2026-03-07 12:00-03:30", "08 03:30-02:30, 09 02:30-02:30"),
        // Intervals up to an hour stay constant.
        ("Australia/Lord_Howe", "every: 1h, align: clock", "2026-10-04 01:00+10:30", "01:00+10:30, 02:30+11, 03:30+11"),
        ("Australia/Lord_Howe", "every: 15m, align: clock", "2026-04-05 01:40+11", "01:45+11, 01:30+10:30"),
        ("Europe/Berlin", "every: 1h, align: clock", "2026-03-29 01:00+01", "01:00+01, 03:00+02, 04:00+02"),
        ("Europe/Berlin", "every: 30m, align: clock", "2026-10-25 02:15+02", "02:30+02, 02:00+01, 02:30+01, 03:00+01"),
        // Longer intervals have one slot: shifted with the clock, or the first of a repeated time.
        ("Europe/Berlin", "every: 2h, align: clock", "2026-03-29 00:00+01", "00:00+01, 03:00+02, 04:00+02"),
        ("Europe/Berlin", "every: 2h, align: clock", "2026-10-25 02:00+02", "02:00+02, 04:00+01, 06:00+01"),
        ("Europe/Berlin", "every: 1d, align: 02:30", "2026-03-28 02:30+01", "02:30+01, 29 03:30+02, 30 02:30+02"),
        ("Europe/Berlin", "every: 1d, align: 02:30", "2026-10-25 02:30+02", "02:30+02, 26 02:30+01"),
        ("Europe/Berlin", "every: 1d, align: 02:30, between: 02:00-03:00", "2026-03-29 03:10+02", "03:30+02"),
        // The same holds for start and end of a daily window.
        ("Europe/Berlin", "every: 2h, between: 02:30-05:00", "2026-03-28 21:00+01", "29 03:30+02, 30 02:30+02"),
        (
            "Europe/Berlin", "every: 30m, align: clock, between: 02:30-03:00", "2026-10-24 14:00+02",
            "25 02:30+02, 25 02:00+01, 25 02:30+01, 26 02:30+01"
        ),
        // A clock set forward permanently, and by a day.
        ("Europe/Moscow", "every: 1d, align: 02:30", "2011-03-27 00:00+03", "03:30+04, 28 02:30+04"),
        ("Pacific/Apia", "every: 1d, align: 12:00", "2011-12-29 12:00-10", "12:00-10, 31 12:00+14"),
    ]

    private static func enter(_ zone: String) {
        unsafe setenv("TZ", zone, 1)
        tzset()
    }

    @Test(arguments: Set(cases.map(\.zone)).sorted())
    func `each slot follows the one before it`(_ zone: String) async {
        await #expect(processExitsWith: .success) { [zone] in
            Self.enter(zone)
            for one in Self.cases where one.zone == zone {
                let from = try #require(HumanTime.parse(one.from))
                let moments = try one.slots.split(separator: ", ").map { text in
                    try #require(HumanTime.parse(completed(String(text), like: one.from)))
                }
                let times = try slotTimes(one.schedule)
                var slot = times.run(from: from)?.first
                for (count, wanted) in zip(1..., moments) {
                    try #require(slot == wanted, "\(one): \(slot.map(\.description) ?? "none"), not \(wanted)")
                    let slots = try #require(times.slots(from: from, through: wanted))
                    try #require(slots.count == count && slots.last == wanted, "\(one): \(slots)")
                    slot = times.next(after: wanted)
                }
            }
        }
    }

    @Test(arguments: [
        ("America/Havana", 2026), ("America/Sao_Paulo", 2017), ("America/St_Johns", 2026), ("Asia/Beirut", 2024),
        ("Australia/Lord_Howe", 2026), ("Europe/Berlin", 2026), ("Europe/Dublin", 2026), ("Europe/Moscow", 2011),
    ])
    func `a year has each daily slot once a day`(_ zone: String, _ year: Int) async {
        await #expect(processExitsWith: .success) { [zone, year] in
            Self.enter(zone)
            let (begin, end) = (moment("\(year)-01-01 00:00"), moment("\(year + 1)-01-01 00:00"))
            let days = LocalTime(begin).day..<LocalTime(end).day
            for minutes in stride(from: 0, to: 1440, by: 15) {
                let times = SlotTimes(every: .seconds(86_400), alignment: .clock(minutes: minutes))
                var slot = times.run(from: begin)?.first
                for day in days {
                    let found = try #require(slot)
                    try #require(LocalTime(found).day == day, "\(minutes) minutes: \(found) on day \(day)")
                    slot = times.next(after: found)
                }
            }
            // Enumerating all of them would take a minute.
            let tenths = SlotTimes(every: .milliseconds(100), alignment: .clock(minutes: 0))
            let slots = try #require(tenths.slots(from: begin, through: end))
            try #require(.milliseconds(100) * (slots.count - 1) == end - begin)
        }
    }

    @Test(arguments: [("mon", [0]), ("mon-fri", [0, 1, 2, 3, 4]), ("fri-mon", [4, 5, 6, 0]), ("sat-sat", [5])])
    func `reads days of the week`(_ text: String, _ days: [Int]) {
        #expect(Weekday.days(text)?.map(\.rawValue) == days)
    }

    @Test(arguments: ["", "Mon", "monday", "mon-", "-mon", "mon-tue-wed", "mon tue", "mon,tue"])
    func `rejects invalid days of the week`(_ text: String) {
        #expect(Weekday.days(text) == nil)
    }

    @Test(arguments: ["06:00-20:00", "22:00-05:00", "00:00-00:01", "23:59-00:00", "00:01-24:00"])
    func `daily windows keep their text`(_ text: String) {
        #expect(DayHours(text)?.description == text)
    }

    @Test(arguments: [
        "", "06:00", "6:00-20:00", "06:00-20:60", "06:00-24:01", "24:00-06:00", "06:00-06:00", "00:00-24:00",
        "06:00–20:00", "06:00 - 20:00", "06:00-20:00-21:00", "+6:00-20:00", "٠٦:٠٠-20:00",
    ])
    func `rejects invalid daily windows`(_ text: String) {
        #expect(DayHours(text) == nil)
    }
}
