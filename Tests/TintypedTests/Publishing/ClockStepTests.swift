// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

/// The wall clock is set while a schedule waits for its next slot, as on a board without a clock of its own.
struct ClockStepTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let times: SlotTimes
        /// When the schedule begins by the wall clock.
        let start: String
        /// Until then time goes on, with every slot in it.
        let end: String
        /// What the clock is set to at each of the following moments, 10 s after the one before.
        let set: [String]
        /// The first slot after that.
        let next: String

        init(_ description: String, _ times: SlotTimes, _ start: String, _ end: String, set: String..., next: String) {
            testDescription = description
            (self.times, self.start, self.end, self.set, self.next) = (times, start, end, set, next)
        }
    }

    private static func daytime(_ every: Int, days: Set<Weekday> = Set(Weekday.allCases)) -> SlotTimes {
        SlotTimes(every: .seconds(every * 60), hours: DayHours("06:00-20:00"), days: days)
    }

    private static let weekdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
    private static let noons = SlotTimes(every: .seconds(86_400), alignment: .clock(minutes: 720))
    private static let tens = SlotTimes(every: .seconds(600), alignment: .clock(minutes: 0))

    // 21 November 2026 is a Saturday.
    static let cases = [
        Case(
            "a daemon that starts in the evening, by a clock that is put right in the morning, begins at once",
            daytime(10),
            "2026-11-20 20:30",
            "2026-11-20 20:30:20",
            set: "2026-11-21 07:00",
            next: "2026-11-21 07:00"
        ),
        Case(
            "after the last slot of the day the clock is set to the next morning",
            daytime(10),
            "2026-11-20 19:35",
            "2026-11-20 20:30",
            set: "2026-11-21 07:00",
            next: "2026-11-21 07:00"
        ),
        Case(
            "before the first slot of the week the clock is set into the week",
            SlotTimes(every: .seconds(600), days: weekdays),
            "2026-11-20 23:45",
            "2026-11-21 00:05",
            set: "2026-11-24 09:05",
            next: "2026-11-24 09:05"
        ),
        Case(
            "in the evening the clock is set back to the morning",
            daytime(10),
            "2026-11-20 19:35",
            "2026-11-20 21:00",
            set: "2026-11-20 09:00",
            next: "2026-11-20 09:00"
        ),
        Case(
            "set back a little over the end of the day, the time between slots stays",
            daytime(60),
            "2026-11-20 18:30",
            "2026-11-20 20:00:05",
            set: "2026-11-20 19:59:55",
            next: "2026-11-21 06:00"
        ),
        Case(
            "in the day the time between slots stays",
            daytime(10),
            "2026-11-20 08:00",
            "2026-11-20 08:03",
            set: "2026-11-20 13:33:10",
            next: "2026-11-20 13:40"
        ),
        Case(
            "set out of the day, the next day begins with a slot",
            daytime(10),
            "2026-11-20 08:00",
            "2026-11-20 08:03",
            set: "2026-11-20 05:58",
            next: "2026-11-20 06:00"
        ),
        Case(
            "a noon that has not come yet comes after a start that was too late by the clock",
            noons,
            "2026-11-20 12:30",
            "2026-11-20 12:30:20",
            set: "2026-11-20 10:30:30",
            next: "2026-11-20 12:00"
        ),
        Case(
            "a noon that has come does not come again",
            noons,
            "2026-11-20 11:30",
            "2026-11-20 12:30:20",
            set: "2026-11-20 10:30:30",
            next: "2026-11-21 12:00"
        ),
        Case(
            "a noon that the clock was set beyond comes when it is set back",
            noons,
            "2026-11-20 09:30",
            "2026-11-20 09:30:20",
            set: "2026-11-20 13:00",
            "2026-11-20 09:31",
            next: "2026-11-20 12:00"
        ),
        Case(
            "set back twice by less than there is between two slots, slots come again",
            tens,
            "2026-11-20 12:00",
            "2026-11-20 12:01",
            set: "2026-11-20 11:53",
            "2026-11-20 11:46",
            next: "2026-11-20 11:50"
        ),
    ]

    @Test(arguments: cases)
    func `a clock that is set silences no schedule`(_ one: Case) {
        var reading = SlotTimer.Reading(wall: moment(one.start), elapsed: .seconds(1_000_000))
        var timer = SlotTimer(one.times, start: reading)
        let end = moment(one.end)
        while let next = timer.upcoming, next <= end {
            reading.elapsed += .microseconds(next.microseconds - reading.wall.microseconds)
            reading.wall = next
            #expect(timer.step(at: reading) == SlotTimer.Step(due: next))
        }
        reading.elapsed += .microseconds(end.microseconds - reading.wall.microseconds)
        reading.wall = end
        _ = timer.step(at: reading)
        for time in one.set {
            reading.elapsed += .seconds(10)
            reading.wall = moment(time)
            #expect(timer.step(at: reading).due == nil)
        }
        #expect(timer.upcoming == moment(one.next))
    }
}
