// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeImaging
import TintypeModel

@testable import tintyped

/// Slots when the wall clock is set, each zone in a process of its own: the zone belongs to all of a process.
struct SummerTimeTests {
    struct Night: Sendable {
        let zone: String
        let name: String
        let times: SlotTimes
        /// The moment from which slots are asked for, and those that follow.
        let moments: [String]

        init(
            _ zone: String,
            _ name: String,
            every seconds: Int,
            at time: String? = "00:00",
            between hours: String? = nil,
            _ moments: String
        ) {
            (self.zone, self.name, self.moments) = (zone, name, moments.split(separator: ", ").map(String.init))
            times = SlotTimes(
                every: .seconds(seconds),
                alignment: time.flatMap { DayHours.minutes(of: $0) }.map(SlotTimes.Alignment.clock) ?? .start,
                hours: hours.flatMap { DayHours($0) }
            )
        }
    }

    static let nights = [
        Night(
            "Europe/Berlin",
            "an hour that the clock skips has no slot",
            every: 3600,
            "2026-03-29 00:30+01, 2026-03-29 01:00+01, 2026-03-29 03:00+02, 2026-03-29 04:00+02"
        ),
        Night(
            "Europe/Berlin",
            "an hour that the clock shows twice has its slots twice",
            every: 1800,
            "2026-10-25 02:15+02, 2026-10-25 02:30+02, 2026-10-25 02:00+01, 2026-10-25 02:30+01"
        ),
        Night(
            "Europe/Berlin",
            "slots more than an hour apart come once",
            every: 7200,
            "2026-10-25 01:30+02, 2026-10-25 02:00+02, 2026-10-25 04:00+01, 2026-10-25 06:00+01"
        ),
        Night(
            "Europe/Berlin",
            "in the middle of what the clock shows twice, too",
            every: 7200,
            at: "02:30",
            "2026-10-25 02:10+01, 2026-10-25 04:30+01"
        ),
        Night(
            "Europe/Berlin",
            "a daily slot that the clock skips comes as much later as it is set forward",
            every: 86_400,
            at: "02:30",
            "2026-03-28 00:00+01, 2026-03-28 02:30+01, 2026-03-29 03:30+02, 2026-03-30 02:30+02"
        ),
        Night(
            "Europe/Berlin",
            "so it does with a part of the day around it",
            every: 86_400,
            at: "02:30",
            between: "02:00-03:00",
            "2026-03-29 03:10+02, 2026-03-29 03:30+02, 2026-03-30 02:30+02"
        ),
        Night(
            "Europe/Berlin",
            "a daily slot that the clock shows twice comes the first time",
            every: 86_400,
            at: "02:30",
            "2026-10-24 00:00+02, 2026-10-24 02:30+02, 2026-10-25 02:30+02, 2026-10-26 02:30+01"
        ),
        Night(
            "Europe/Berlin",
            "a part of the day that the clock shows twice lasts from its first begin to its end",
            every: 1800,
            between: "02:30-03:00",
            "2026-10-24 14:00+02, 2026-10-25 02:30+02, 2026-10-25 02:00+01, 2026-10-25 02:30+01, 2026-10-26 02:30+01"
        ),
        Night(
            "Europe/Berlin",
            "a part of the day whose begin the clock skips begins later",
            every: 7200,
            at: nil,
            between: "02:30-05:00",
            "2026-03-28 21:00+01, 2026-03-29 03:30+02, 2026-03-30 02:30+02"
        ),
        Night(
            "America/Sao_Paulo",
            "a midnight that the clock skips",
            every: 86_400,
            "2017-10-14 12:00-03, 2017-10-15 01:00-02, 2017-10-16 00:00-02"
        ),
        Night(
            "America/Sao_Paulo",
            "a clock that is set back to the day before",
            every: 86_400,
            at: "23:30",
            "2018-02-17 00:00-02, 2018-02-17 23:30-02, 2018-02-18 23:30-03"
        ),
        Night(
            "America/Havana",
            "a midnight that the clock shows twice",
            every: 21600,
            "2026-10-31 19:00-04, 2026-11-01 00:00-04, 2026-11-01 06:00-05"
        ),
        Night(
            "America/St_Johns",
            "a zone half an hour beside the others",
            every: 86_400,
            at: "02:30",
            "2026-03-07 12:00-03:30, 2026-03-08 03:30-02:30, 2026-03-09 02:30-02:30"
        ),
        Night(
            "Australia/Lord_Howe",
            "half an hour twice",
            every: 900,
            "2026-04-05 01:40+11, 2026-04-05 01:45+11, 2026-04-05 01:30+10:30, 2026-04-05 01:45+10:30, "
                + "2026-04-05 02:00+10:30"
        ),
        Night(
            "Australia/Lord_Howe",
            "half an hour skipped, with a slot at its begin",
            every: 3600,
            "2026-10-04 00:45+10:30, 2026-10-04 01:00+10:30, 2026-10-04 03:00+11, 2026-10-04 04:00+11"
        ),
        Night(
            "Europe/Moscow",
            "a clock that is set forward for good",
            every: 86_400,
            at: "02:30",
            "2011-03-26 12:00+03, 2011-03-27 03:30+04, 2011-03-28 02:30+04"
        ),
        Night(
            "Pacific/Apia",
            "a day skipped",
            every: 86_400,
            at: "12:00",
            "2011-12-29 00:00-10, 2011-12-29 12:00-10, 2011-12-31 12:00+14, 2012-01-01 12:00+14"
        ),
    ]

    private static func enter(_ zone: String) {
        unsafe setenv("TZ", zone, 1)
        tzset()
    }

    @Test(arguments: Set(nights.map(\.zone)).sorted()) func `slots follow on each other when the clock is set`(
        _ zone: String
    ) async {
        await #expect(processExitsWith: .success) { [zone] in
            Self.enter(zone)
            for night in Self.nights where night.zone == zone {
                let moments = try night.moments.map { try #require(HumanTime.parse($0)) }
                var slot = night.times.run(from: moments[0])?.first
                for wanted in moments.dropFirst() {
                    try #require(slot == wanted, "\(night.name): \(slot.map(\.description) ?? "none"), not \(wanted)")
                    slot = night.times.next(after: wanted)
                }
            }
        }
    }

    @Test(arguments: [
        ("America/Havana", 2026), ("America/Sao_Paulo", 2017), ("America/St_Johns", 2026), ("Asia/Beirut", 2024),
        ("Australia/Lord_Howe", 2026), ("Europe/Berlin", 2026), ("Europe/Dublin", 2026), ("Europe/Moscow", 2011),
    ])
    func `a year has each daily slot once a day, and each quarter of an hour`(_ zone: String, _ year: Int) async {
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
            let quarters = SlotTimes(every: .seconds(900), alignment: .clock(minutes: 0))
            let count = quarters.count(from: begin, through: end).count
            try #require(Int64(count - 1) * 900_000_000 == end.microseconds - begin.microseconds)
        }
    }

    @Test func `a time that the clock skips or shows twice is one moment, whatever was asked before`() async {
        await #expect(processExitsWith: .success) {
            for (zone, day, wanted) in [
                ("Europe/Berlin", "2026-03-29", "03:30+02:00"), ("Europe/Berlin", "2026-10-25", "02:30+02:00"),
                ("Europe/Moscow", "2011-03-27", "03:30+04:00"),
            ] {
                Self.enter(zone)
                let date = try #require(Timestamp("\(day)T00:00:00Z"))
                let number = Int(date.microseconds / 86_400_000_000)
                for distance in [-180, -90, 90, 180, 300] {
                    _ = LocalTime.moment(day: number + distance, time: 0)
                    let found = LocalTime.moment(day: number, time: 150 * 60_000_000)
                    try #require(found == HumanTime.parse("\(day) \(wanted)"), "\(zone) \(distance)")
                }
            }
        }
    }

    @Test func `a year of tenths of a second is counted`() async {
        await #expect(processExitsWith: .success) {
            Self.enter("Europe/Berlin")
            let times = SlotTimes(every: .milliseconds(100), alignment: .clock(minutes: 0))
            let (begin, end) = (moment("2026-01-01 00:00"), moment("2026-12-31 23:59:59.999999"))
            // Going through all of them would take a minute.
            try #require(times.count(from: begin, through: end).count == 365 * 864_000)
        }
    }
}
