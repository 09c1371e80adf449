// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// The slots of a schedule: at which moments a frame is due, told from the moment, the schedule and the daemon's zone.
///
/// Slots at most an hour apart come whenever the wall clock shows their time: not at all where it skips it, twice where
/// it shows it twice. Those further apart come once each, at ``LocalTime/moment(day:time:)``.
struct SlotTimes: Sendable {
    /// Where the slots lie.
    enum Alignment: Hashable, Sendable {
        /// One when the schedule begins, and at the begin of each part of the day; from there on one after the other.
        case start
        /// At so many minutes after midnight by the wall clock, and as often before and after that as there is room in
        /// the day.
        case clock(minutes: Int)
    }

    /// Slots with the same time between them: the first, and each further one before the end.
    struct Run: Hashable {
        var first: Timestamp
        var end: Timestamp
    }

    /// The time from one to the next; whole days, or at most one, where the wall clock says when.
    var every: Duration
    var alignment = Alignment.start
    /// Only in this part of the day; nil for all of it.
    var hours: DayHours?
    /// Only on these days; what goes on after midnight belongs to the day before.
    var days = Set(Weekday.allCases)

    private static let minute: Int64 = 60_000_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// ``every`` in microseconds.
    private var step: Int64 { every.nanosecondCount / 1000 }

    /// The slots that begin with the first at or after `moment`; nil where there is none, ever.
    ///
    /// Slots that are aligned to the start are counted from `moment`, if it is in the part of the day.
    func run(from moment: Timestamp) -> Run? {
        let today = LocalTime(moment).day
        // A slot of yesterday that the clock skips may come today.
        for day in today - 1...today + horizon {
            for part in parts(of: day) {
                guard let run = run(in: part, of: day, from: moment.microseconds) else { continue }
                return Run(first: Timestamp(microseconds: run.lowerBound), end: Timestamp(microseconds: run.upperBound))
            }
        }
        return nil
    }

    /// The slot after `slot`.
    func next(after slot: Timestamp) -> Timestamp? { run(from: earliest(after: slot))?.first }

    /// How many slots there are from `first`, which is one, through `moment`, and the last of them.
    func count(from first: Timestamp, through moment: Timestamp) -> (count: Int, last: Timestamp) {
        var (count, last, place) = (0, first, first)
        while let run = run(from: place), run.first <= moment {
            let end = min(moment.microseconds, run.end.microseconds - 1)
            let more = (end - run.first.microseconds) / step
            count += Int(more) + 1
            last = Timestamp(microseconds: run.first.microseconds + more * step)
            place = earliest(after: last)
        }
        return (count, last)
    }

    private func earliest(after slot: Timestamp) -> Timestamp {
        Timestamp(microseconds: slot.microseconds + (alignment == .start ? step : 1))
    }

    /// Within so many days every combination of days has come: weeks for days of the week, times the days between slots.
    private var horizon: Int { 7 * max(1, Int(step / Self.day)) + 2 }

    /// The parts of a day that the schedule allows, in microseconds since midnight by the clock.
    private func parts(of day: Int) -> [Range<Int64>] {
        let today = Weekday(daysSince1970: day)
        let parts = hours?.parts(on: today, days: days) ?? (days.contains(today) ? [0..<DayHours.day] : [])
        return parts.map { Int64($0.lowerBound) * Self.minute..<Int64($0.upperBound) * Self.minute }
    }

    /// The first slot of a part of a day at or after `moment`, and until when further ones follow.
    private func run(in part: Range<Int64>, of day: Int, from moment: Int64) -> Range<Int64>? {
        let begin = max(moment, Self.moment(day, part.lowerBound))
        var end = Self.moment(day, part.upperBound)
        guard case .clock(let minutes) = alignment else { return begin < end ? begin..<end : nil }
        // The days are counted from a Monday.
        if step >= Self.day, (day - 4) % Int(step / Self.day) != 0 { return nil }
        let phase = Int64(minutes) * Self.minute % step
        let midnight = Self.moment(day, 0)
        if Self.moment(day + 1, 0) - midnight == Self.day {
            let first = midnight + slot(from: begin - midnight, phase)
            return first < end ? first..<end : nil
        }
        // The clock is set on this day.
        if step > Self.hour {
            let times = stride(from: slot(from: part.lowerBound, phase), to: part.upperBound, by: Int(step))
            return times.lazy.map { Self.moment(day, $0) }.first { $0 >= moment }.map { $0..<$0 + 1 }
        }
        let first = slotShown(from: begin, on: day, phase)
        guard first < end else { return nil }
        while Self.offset(at: end - 1) != Self.offset(at: first) { end = first + (end - first) / 2 }
        return first..<end
    }

    /// The first moment from `moment` on at which the clock shows the time of a slot.
    private func slotShown(from moment: Int64, on day: Int, _ phase: Int64) -> Int64 {
        let midnight = Int64(day) * Self.day
        func first(from moment: Int64, _ offset: Int64) -> Int64 {
            midnight + slot(from: moment + offset - midnight, phase) - offset
        }
        // If the clock is set before the next slot, the slots after that count, by the clock as it is then.
        let offset = Self.offset(at: first(from: moment, Self.offset(at: moment)))
        var shown = first(from: moment, offset)
        while Self.offset(at: shown) != offset { shown = first(from: shown + 1, offset) }
        return shown
    }

    /// The first slot at or after `time`, both counted from midnight by the wall clock.
    private func slot(from time: Int64, _ phase: Int64) -> Int64 {
        guard time > phase else { return phase }
        return phase + (time - phase + step - 1) / step * step
    }

    private static func moment(_ day: Int, _ time: Int64) -> Int64 {
        LocalTime.moment(day: day, time: time).microseconds
    }

    /// How far the clock is ahead of UTC.
    private static func offset(at moment: Int64) -> Int64 {
        Int64(LocalTime(Timestamp(microseconds: moment)).secondsFromUTC) * 1_000_000
    }
}
