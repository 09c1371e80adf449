// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The slots of a schedule: at which moments a frame is due, told from the moment, the schedule and the zone alone.
///
/// A time that the wall clock skips, since it is set forward, is no slot, unless slots are further apart than that:
/// then the slot comes when the clock is set. A time that it shows twice, since it is set back, is a slot twice, unless
/// slots are further apart than that: then the second time is none.
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
    var zone = LocalZone.ofDaemon

    /// ``every`` in microseconds.
    private var step: Int64 { every.nanosecondCount / 1000 }

    /// The slots that begin with the first at or after `moment`; nil where there is none, ever.
    ///
    /// Slots that are aligned to the start are counted from `moment`, if it is in the part of the day.
    func run(from moment: Timestamp) -> Run? {
        var place = moment.microseconds
        let limit = place + horizon
        while place <= limit {
            let stretch = zone.stretch(at: place)
            for part in parts(of: stretch, from: place) {
                guard let run = run(in: part, of: stretch) else { continue }
                return Run(first: Timestamp(microseconds: run.lowerBound), end: Timestamp(microseconds: run.upperBound))
            }
            place = stretch.end
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

    /// Within this time every combination of days has come: weeks for days of the week, times the days between slots.
    private var horizon: Int64 { LocalZone.day * (7 * max(1, step / LocalZone.day) + 2) }

    /// The part of a stretch, from `place` on, that the schedule allows.
    private func parts(of stretch: LocalZone.Stretch, from place: Int64) -> [Range<Int64>] {
        let today = Weekday(daysSince1970: stretch.day)
        let parts = hours?.parts(on: today, days: days) ?? (days.contains(today) ? [0..<DayHours.day] : [])
        return parts.compactMap { part in
            let begin = max(place, stretch.midnight + Int64(part.lowerBound) * Self.minute)
            let end = min(stretch.end, stretch.midnight + Int64(part.upperBound) * Self.minute)
            return begin < end ? begin..<end : nil
        }
    }

    private static let minute: Int64 = 60_000_000

    /// The first slot of a part, and until when further ones follow.
    private func run(in part: Range<Int64>, of stretch: LocalZone.Stretch) -> Range<Int64>? {
        guard case .clock(let minutes) = alignment else { return part }
        let isWholeDays = step >= LocalZone.day
        // The days are counted from a Monday.
        if isWholeDays, (stretch.day - 4) % Int(step / LocalZone.day) != 0 { return nil }
        let phase = Int64(minutes) * Self.minute % step
        if let change = stretch.change, change.moment == part.lowerBound, step > change.forward,
            isSlotMissing(before: change, in: stretch, phase: phase)
        {
            return change.moment..<change.moment + 1
        }
        var begin = part.lowerBound
        if let change = stretch.change, step > -change.forward { begin = max(begin, change.repeatedUntil) }
        let first = stretch.midnight + Self.slot(from: begin - stretch.midnight, phase, step)
        guard first < part.upperBound else { return nil }
        return first..<(isWholeDays ? first + 1 : part.upperBound)
    }

    /// Whether there would have been a slot in the time that the clock has just left out.
    private func isSlotMissing(before change: LocalZone.Change, in stretch: LocalZone.Stretch, phase: Int64) -> Bool {
        guard change.forward > 0 else { return false }
        let shown = change.moment - stretch.midnight
        return Self.slot(from: max(0, shown - change.forward), phase, step) < shown
    }

    /// The first slot at or after `time`, both counted from midnight by the wall clock.
    private static func slot(from time: Int64, _ phase: Int64, _ step: Int64) -> Int64 {
        guard time > phase else { return phase }
        return phase + (time - phase + step - 1) / step * step
    }
}
