// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeModel

@testable import tintyped

/// Two clocks, one of which may be set, against the slots of a schedule.
struct SlotTimerTests {
    /// A moment: by how much time has gone on, and what the wall clock says then.
    struct Moment: Sendable {
        let after: Duration
        let wall: String
        let wasBusy: Bool
        let step: SlotTimer.Step

        init(_ after: Duration, _ wall: String, wasBusy: Bool = false, _ step: SlotTimer.Step) {
            self.after = after
            self.wall = wall
            self.wasBusy = wasBusy
            self.step = step
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let alignment: SlotTimes.Alignment
        let every: Duration
        let moments: [Moment]

        /// Begins at noon of 21 November 2026.
        init(
            _ description: String,
            every: Duration = .seconds(600),
            alignment: SlotTimes.Alignment = .clock(minutes: 0),
            _ moments: Moment...
        ) {
            testDescription = description
            self.every = every
            self.alignment = alignment
            self.moments = moments
        }
    }

    static func at(_ time: String) -> Timestamp { moment("2026-11-21 \(time)") }

    static func due(_ slot: String, missed: SlotTimer.Slots? = nil) -> SlotTimer.Step {
        SlotTimer.Step(due: at(slot), missed: missed)
    }

    static func wait(_ wait: Duration, missed: SlotTimer.Slots? = nil) -> SlotTimer.Step {
        SlotTimer.Step(missed: missed, wait: wait)
    }

    static func set(
        _ amount: Duration,
        due: String? = nil,
        missed: SlotTimer.Slots? = nil,
        passedOver: Int = 0,
        wait: Duration? = nil
    ) -> SlotTimer.Step {
        SlotTimer.Step(due: due.map(at), missed: missed, clockSet: amount, passedOver: passedOver, wait: wait)
    }

    static func slots(_ first: String, _ last: String, _ count: Int) -> SlotTimer.Slots {
        SlotTimer.Slots(first: at(first), last: at(last), count: count)
    }

    static let glance = SlotTimer.glance

    @Test(arguments: [
        Case(
            "a slot is due when it comes, and the clock is looked at every five seconds",
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(1), "12:00:01", wait(glance)),
            Moment(.seconds(596), "12:09:57", wait(.seconds(3))),
            Moment(.seconds(3), "12:10", due("12:10"))
        ),
        Case(
            "a slot that is a little late is due",
            Moment(.seconds(604), "12:10:04", due("12:10", missed: slots("12:00", "12:00", 1)))
        ),
        Case(
            "a slot that is too late is missed",
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(606), "12:10:06", wait(glance, missed: slots("12:10", "12:10", 1)))
        ),
        Case(
            "what passes while a frame is taken is missed",
            every: .seconds(10),
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(35), "12:00:35", wasBusy: true, wait(glance, missed: slots("12:00:10", "12:00:30", 3))),
            Moment(.seconds(5), "12:00:40", due("12:00:40"))
        ),
        Case(
            "a slot that has just come when the frame before is done is not missed",
            every: .seconds(10),
            Moment(.zero, "12:00", due("12:00")),
            Moment(
                .milliseconds(20_400),
                "12:00:20.4",
                wasBusy: true,
                due("12:00:20", missed: slots("12:00:10", "12:00:10", 1))
            )
        ),
        Case(
            "what passes while the machine is asleep is missed",
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(3780), "13:03", wait(glance, missed: slots("12:10", "13:00", 6)))
        ),
        Case(
            "slots that the clock is set beyond are not missed",
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(5), "13:03:05", set(.seconds(3780), passedOver: 6, wait: glance)),
            Moment(.seconds(415), "13:10", due("13:10"))
        ),
        Case(
            "a slot that the clock is set to is due",
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(5), "13:00:02", set(.seconds(3597), due: "13:00", passedOver: 5))
        ),
        Case(
            "a sleep, after which the clock is set: each counts for itself",
            Moment(.zero, "12:00", due("12:00")),
            Moment(
                .seconds(1500),
                "13:03",
                set(.seconds(2280), missed: slots("12:10", "12:20", 2), passedOver: 4, wait: glance)
            )
        ),
        Case(
            "a clock that is set back by more than there is between slots shows them again",
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(5), "11:03:05", set(.seconds(-3420), wait: glance)),
            Moment(.seconds(415), "11:10", due("11:10"))
        ),
        Case(
            "a clock that is set back by less has no slot a second time",
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(60), "11:59", set(.seconds(-120), wait: glance)),
            Moment(.seconds(60), "12:00", wait(glance)),
            Moment(.seconds(600), "12:10", due("12:10"))
        ),
        Case(
            "what is adjusted slowly was not set",
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(599), "12:09:58.95", wait(.milliseconds(1050))),
            Moment(.milliseconds(1050), "12:10", due("12:10"))
        ),
        Case(
            "counted from the start, the time between slots stays when the clock is set forward",
            alignment: .start,
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(180), "13:03", set(.seconds(3600), wait: glance)),
            Moment(.seconds(420), "13:10", due("13:10"))
        ),
        Case(
            "and when it is set back",
            alignment: .start,
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(180), "11:33", set(.seconds(-1800), wait: glance)),
            Moment(.seconds(420), "11:40", due("11:40"))
        ),
        Case(
            "a slot that comes as the clock is set is due",
            alignment: .start,
            Moment(.zero, "12:00", due("12:00")),
            Moment(.seconds(601), "13:10:01", set(.seconds(3600), due: "13:10"))
        ),
    ])
    func `slots come, pass and are missed`(_ one: Case) {
        var elapsed = Duration.seconds(1_000_000)
        let times = SlotTimes(every: one.every, alignment: one.alignment)
        var timer = SlotTimer(times, start: SlotTimer.Reading(wall: Self.at("12:00"), elapsed: elapsed))
        for moment in one.moments {
            elapsed += moment.after
            let reading = SlotTimer.Reading(wall: Self.at(moment.wall), elapsed: elapsed)
            #expect(timer.step(at: reading, wasBusy: moment.wasBusy) == moment.step, "at \(moment.wall)")
        }
    }

    @Test func `a year of noons is a picture a day, summer time and all`() async {
        // In a process of its own: the zone belongs to all of a process.
        await #expect(processExitsWith: .success) {
            unsafe setenv("TZ", "Europe/Berlin", 1)
            tzset()
            let times = SlotTimes(every: .seconds(86_400), alignment: .clock(minutes: 720))
            var reading = SlotTimer.Reading(wall: moment("2026-01-01 00:00"), elapsed: .zero)
            var timer = SlotTimer(times, start: reading)
            var hours: [Int64: Int] = [:]
            while let next = timer.upcoming, next < moment("2027-01-01 00:00") {
                reading.elapsed += .microseconds(next.microseconds - reading.wall.microseconds)
                reading.wall = next
                try #require(timer.step(at: reading) == SlotTimer.Step(due: next))
                hours[next.microseconds / 3_600_000_000 % 24, default: 0] += 1
            }
            // In UTC: 210 days of summer time, from 29 March to 24 October.
            try #require(hours == [11: 155, 10: 210])
        }
    }

    @Test func `without any further slot nothing is waited for`() {
        let times = SlotTimes(
            every: .seconds(86_400),
            alignment: .clock(minutes: 0),
            hours: DayHours("13:00-14:00")
        )
        let start = SlotTimer.Reading(wall: Self.at("12:00"), elapsed: .zero)
        var timer = SlotTimer(times, start: start)
        #expect(timer.step(at: start) == SlotTimer.Step())
    }
}
