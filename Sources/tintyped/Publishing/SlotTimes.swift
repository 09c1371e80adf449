// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// Slots of a schedule, computed from a moment, the schedule and the daemon's time zone.
///
/// With clock alignment, slots at most an hour apart keep their distance from midnight across daylight saving changes.
/// Each slot of a longer interval occurs once, at ``LocalTime/moment(day:time:)``.
struct SlotTimes: Sendable {
    enum Alignment: Hashable, Sendable {
        /// Counted from the start of the schedule, and from the start of each part of the day.
        case start
        /// Minutes after midnight by the wall clock, with further slots before and after that within the day.
        case clock(minutes: Int)
    }

    /// Interval; with clock alignment, at most one day or whole days.
    var every: Duration
    var alignment = Alignment.start
    /// Nil for all of the day.
    var hours: DayHours?
    /// Days of the week; the part after midnight belongs to the day before.
    var days = Set(Weekday.allCases)

    private static let minute: Int64 = 60_000_000
    private static let hour = 60 * minute
    private static let day = 24 * hour
    /// Number of days in which every combination of weekday and interval from 1 to 366 days occurs.
    private static let horizon = 7 * 366

    /// Microseconds.
    private var step: Int64 { every.nanosecondCount / 1000 }

    /// First slot at or after `moment`, and the end of the run of slots that follow it; nil if there is none.
    ///
    /// Slots aligned to the start are counted from `moment` if it is in the part of the day.
    func run(from moment: Timestamp) -> (first: Timestamp, end: Timestamp)? {
        let today = LocalTime(moment).day
        // A slot of yesterday that the clock skipped may be due today.
        for day in today - 1...today + Self.horizon {
            for part in parts(of: day) {
                guard let run = run(in: part, of: day, from: moment.microseconds) else { continue }
                return (Timestamp(microseconds: run.lowerBound), Timestamp(microseconds: run.upperBound))
            }
        }
        return nil
    }

    func next(after slot: Timestamp) -> Timestamp? { run(from: earliest(after: slot))?.first }

    func slots(from moment: Timestamp, through end: Timestamp) -> SlotTimer.Slots? {
        var slots: SlotTimer.Slots?
        var place = moment
        while let run = run(from: place), run.first <= end {
            let more = (min(end.microseconds, run.end.microseconds - 1) - run.first.microseconds) / step
            let last = Timestamp(microseconds: run.first.microseconds + more * step)
            let count = (slots?.count ?? 0) + Int(more) + 1
            slots = SlotTimer.Slots(first: slots?.first ?? run.first, last: last, count: count)
            place = earliest(after: last)
        }
        return slots
    }

    private func earliest(after slot: Timestamp) -> Timestamp {
        slot + (alignment == .start ? every : .microseconds(1))
    }

    /// In microseconds since local midnight.
    private func parts(of day: Int) -> [Range<Int64>] {
        let (start, end) = hours.map { ($0.start, $0.end) } ?? (0, DayHours.day)
        let night = start > end && days.contains(Weekday(daysSince1970: day - 1)) ? [0..<end] : []
        let rest = days.contains(Weekday(daysSince1970: day)) ? [start..<(start < end ? end : DayHours.day)] : []
        return (night + rest).map { Int64($0.lowerBound) * Self.minute..<Int64($0.upperBound) * Self.minute }
    }

    /// At or after `moment`, to the end of the run.
    private func run(in part: Range<Int64>, of day: Int, from moment: Int64) -> Range<Int64>? {
        func at(_ time: Int64) -> Int64 { LocalTime.moment(day: day, time: time).microseconds }
        var first = max(moment, at(part.lowerBound))
        if case .clock(let minutes) = alignment {
            // Days are counted from a Monday.
            if step >= Self.day, (day - 4) % Int(step / Self.day) != 0 { return nil }
            let phase = Int64(minutes) * Self.minute % step
            guard step <= Self.hour else {
                let times = stride(from: phase, to: Self.day, by: Int(step)).lazy.filter(part.contains)
                return times.map(at).first { $0 >= moment }.map { $0..<$0 + 1 }
            }
            let origin = at(0) + phase
            first = origin + (max(0, first - origin) + step - 1) / step * step
        }
        let end = at(part.upperBound)
        return first < end ? first..<end : nil
    }
}
