// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

/// Slots of a schedule on a monotonic clock and a wall clock that is set.
struct SlotTimerTests {
    /// Moment on Saturday, 21 November 2026, or on another day of that month, as in `22T12:30`.
    private func at(_ text: String) -> Timestamp { moment(completed(text, like: "2026-11-21 12:00")) }

    /// Steps of the timer: seconds since the step before, wall clock time, and `busy` after a frame; then the due slot,
    /// the first and last missed slot with their number, and the next slot.
    @Test(arguments: [
        ("every: 10m, align: clock", "0 12:00 due 12:00, 1 12:00:01 next 12:10, 596 12:09:57, 3 12:10 due 12:10"),
        // A slightly late slot is due and the one before it missed; a later one is missed.
        ("every: 10m, align: clock", "0 11:59, 664 12:10:04 due 12:10 missed 12:00 12:00 1"),
        ("every: 10m, align: clock", "0 12:00 due 12:00, 606 12:10:06 missed 12:10 12:10 1"),
        // Slots during a frame are missed, except one that has just passed at its end.
        ("every: 10s", "0 12:00 due 12:00, 35 12:00:35 busy missed 12:00:10 12:00:30 3, 5 12:00:40 due 12:00:40"),
        ("every: 10s", "0 12:00 due 12:00, 20.4 12:00:20.4 busy due 12:00:20 missed 12:00:10 12:00:10 1"),
        // Slots during a suspend are missed; slots skipped by setting the clock are not.
        ("every: 10m, align: clock", "0 12:00 due 12:00, 3780 13:03 missed 12:10 13:00 6 next 13:10"),
        ("every: 10m, align: clock", "0 12:00 due 12:00, 5 13:03:05 next 13:10, 415 13:10 due 13:10"),
        ("every: 10m, align: clock", "0 12:00 due 12:00, 1500 13:03 missed 12:10 12:20 2 next 13:10"),
        // Setting the clock just past a slot makes it due, but never two of them.
        ("every: 1d, align: 12:00", "0 09:00, 5 12:00:02 next 12:00, 0 12:00:02 due 12:00"),
        ("every: 10m, align: clock", "0 12:05, 300 13:00:01 due 12:10 next 13:10"),
        // A clock set back by more than the interval repeats slots; by less, it does not.
        ("every: 10m, align: clock", "0 12:00 due 12:00, 5 11:03:05 next 11:10, 415 11:10 due 11:10"),
        ("every: 10m, align: clock", "0 12:00 due 12:00, 60 11:59 next 12:10, 60 12:00, 600 12:10 due 12:10"),
        ("every: 10m, align: clock", "0 12:00 due 12:00, 60 11:53 next 12:10, 10 11:46 next 11:50"),
        // A noon that was due is not repeated; one before the start or skipped by setting the clock is.
        ("every: 1d, align: 12:00", "0 12:00 due 12:00, 1830 10:30:30 next 22T12:00"),
        ("every: 1d, align: 12:00", "0 12:30, 30 10:30:30 next 12:00"),
        ("every: 1d, align: 12:00", "0 09:30, 30 13:00 next 22T12:00, 10 09:31 next 12:00"),
        // Slewing is not setting the clock.
        ("every: 10m", "0 12:00 due 12:00, 599 12:09:58.5 next 12:10, 1.5 12:10 due 12:10"),
        // Slots counted from the start keep their interval, also past the end of a daily window.
        ("every: 10m", "0 12:00 due 12:00, 180 13:03 next 13:10, 420 13:10 due 13:10"),
        ("every: 10m", "0 12:00 due 12:00, 180 11:33 next 11:40, 420 11:40 due 11:40"),
        ("every: 10m", "0 12:00 due 12:00, 601 13:10:01 due 12:10 next 13:20"),
        ("every: 1h, between: 06:00-20:00", "0 19:30 due 19:30, 1805 20:00:05, 10 19:59:55 next 22T06:00"),
        // A daily window that the clock is set into begins at once if the interval has passed.
        ("every: 10m, between: 06:00-20:00", "0 20:30, 10 22T07:00 next 22T07:00, 0 22T07:00 due 22T07:00"),
        ("every: 10m, between: 06:00-20:00", "0 19:55 due 19:55, 2100 20:30, 10 22T07:00 next 22T07:00"),
        ("every: 10m, between: 06:00-20:00", "0 19:55 due 19:55, 3900 21:00 next 22T06:00, 10 09:00 next 09:00"),
        ("every: 10m, days: mon-fri", "0 20T23:55 due 20T23:55, 600 00:05, 10 24T09:05 next 24T09:05"),
    ])
    func `slots are due, missed or next while the wall clock is set`(_ schedule: String, _ looks: String) throws {
        var timer: SlotTimer?
        var (wall, elapsed) = (Timestamp(microseconds: 0), Duration.zero)
        for look in looks.split(separator: ", ") {
            let words = look.split(separator: " ").map(String.init)
            func word(_ place: Int, after key: String) -> String? {
                words.firstIndex(of: key).map { words[$0 + place] }
            }
            let (now, after) = (at(words[1]), Duration.seconds(try #require(Double(words[0]))))
            elapsed += after
            var one = try timer ?? SlotTimer(slotTimes(schedule), start: now)
            let set = timer == nil ? .zero : now - (wall + after)
            wall = now
            let step = one.step(at: now, elapsed: elapsed, wasBusy: words.contains("busy"))
            timer = one
            #expect(step.due == word(1, after: "due").map(at), "\(look)")
            #expect(step.missed?.first == word(1, after: "missed").map(at), "\(look)")
            #expect(step.missed?.last == word(2, after: "missed").map(at), "\(look)")
            #expect(step.missed?.count == word(3, after: "missed").flatMap { Int($0) }, "\(look)")
            #expect(step.clockSet == (max(set, .zero - set) < .seconds(1) ? nil : set), "\(look)")
            let upcoming = try #require(one.upcoming)
            #expect(upcoming == word(1, after: "next").map(at) ?? upcoming, "\(look)")
            // Limited, because the wall clock may be set.
            #expect(step.wait == min(.seconds(5), max(.zero, upcoming - now)), "\(look)")
        }
    }
}
