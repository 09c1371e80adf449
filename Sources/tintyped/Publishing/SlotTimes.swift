// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// Computes due slots, missed slots and waiting time from two clocks, without side effects.
///
/// The wall clock decides when a slot is due, and may be set. The other clock is steady and includes suspend. A slot
/// skipped by setting the wall clock is not missed.
struct SlotTimer {
    struct Slots: Hashable {
        var first: Timestamp
        var last: Timestamp
        var count: Int
    }

    struct Step {
        var due: Timestamp?
        var missed: Slots?
        var clockSet: Duration?
        /// Time to wait if nothing is due; limited, since the wall clock may be set meanwhile.
        var wait = Duration.seconds(5)
    }

    private let times: SlotTimes
    private var wall: Timestamp
    private var elapsed = Duration.zero
    /// The last slot, due or missed; moved along with the clock for slots counted from it.
    private var last: Timestamp?
    /// The next slot; nil for never.
    private(set) var upcoming: Timestamp?

    init(_ times: SlotTimes, start: Timestamp) {
        self.times = times
        wall = start
        upcoming = times.run(from: start)?.first
    }

    /// Advances to `now`, `elapsed` after the start; `wasBusy` if a frame was in progress since the last step.
    mutating func step(at now: Timestamp, elapsed: Duration, wasBusy: Bool) -> Step {
        let unset = wall + (elapsed - self.elapsed)
        let set = now - unset
        // Smaller differences come from clock adjustment (adjtimex(2)) and from reading the two clocks in sequence.
        let wasSet = max(set, .zero - set) >= .seconds(1)
        (wall, self.elapsed) = (now, elapsed)
        // A slot that is later than this is missed.
        let grace = wasBusy ? min(times.every / 10, .milliseconds(500)) : min(times.every, .seconds(5))
        var step = Step(clockSet: wasSet ? set : nil)
        // First the slots up to the time the clock would show if not set, then the effect of setting it.
        let moment = wasSet ? unset : now
        if let first = upcoming, let slots = times.slots(from: first, through: moment) {
            let isDue = moment - slots.last <= grace
            step.due = isDue ? slots.last : nil
            step.missed = isDue ? times.slots(from: first, through: slots.last - .microseconds(1)) : slots
            last = slots.last
            upcoming = times.next(after: slots.last)
        }
        if wasSet {
            // Counted slots keep their distance. Of the others, the newest may be due now, but not two at once.
            let isCounted = times.alignment == .start
            if isCounted { last = last.map { $0 + set } }
            var passed = now - (isCounted ? times.every : step.due == nil ? grace : .zero)
            // No slot repeats, unless the last one is now at least one interval ahead.
            if let last, last - now < times.every { passed = max(passed, last) }
            upcoming = times.next(after: passed)
        }
        if let upcoming { step.wait = min(max(.zero, upcoming - now), step.wait) }
        return step
    }
}

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

    /// True in the allowed parts of the days, for slots that are aligned to the start.
    func allows(_ moment: Timestamp) -> Bool { run(from: moment)?.first == moment }

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

/// A part of each day by the wall clock, as in `06:00-20:00`, or across midnight, as in `22:00-05:00`.
struct DayHours: Hashable, Sendable, CustomStringConvertible {
    /// Minutes since midnight, inclusive: 0 to 1439.
    let start: Int
    /// Minutes since midnight, exclusive: 1 to 1440, or 0 for the end of the day.
    let end: Int

    /// `HH:MM-HH:MM`, with an end up to `24:00`; nil for other text or an empty range.
    init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.minutes(of: $0) }
        guard ends.count == 2, let start = ends[0], let end = ends[1], start < Self.day,
            start % Self.day != end % Self.day
        else { return nil }
        self.start = start
        self.end = end
    }

    static let day = 1440

    /// `HH:MM`, up to `24:00`, as minutes since midnight.
    static func minutes(of text: some StringProtocol) -> Int? {
        guard let match = String(text).wholeMatch(of: /([0-9]{2}):([0-9]{2})/),
            let hour = Int(match.1), let minute = Int(match.2), minute < 60, hour * 60 + minute <= day
        else { return nil }
        return hour * 60 + minute
    }

    /// Minutes since midnight as `06:00`.
    static func text(_ minutes: Int) -> String { "\(Timestamp.pad(minutes / 60, 2)):\(Timestamp.pad(minutes % 60, 2))" }
    var description: String { "\(Self.text(start))-\(Self.text(end))" }
}

/// A day of the week; Monday is the first (ISO 8601).
enum Weekday: Int, Hashable, Sendable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// As in the configuration.
    var word: String { ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][rawValue] }

    /// 1970-01-01 was a Thursday.
    init(daysSince1970 days: Int) { self = Self.allCases[((days + 3) % 7 + 7) % 7] }

    /// Word of the first day in `text` that is written otherwise, as in `Wednesday` or `mon-thurs`.
    static func nearest(to text: String) -> String? {
        let words = allCases.map(\.word)
        guard let day = text.split(separator: "-").first(where: { !words.contains(String($0)) }) else { return nil }
        let names = allCases.map { "\($0)" }
        let begun = day.count > 1 ? names.first { $0.hasPrefix(day.lowercased()) } : nil
        return (begun ?? Spelling.nearest(to: String(day), among: words + names)).map { String($0.prefix(3)) }
    }

    /// `sat` or `fri-mon`; a range may wrap around Sunday.
    static func days(_ text: String) -> [Weekday]? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { end in
            allCases.first { $0.word == end }
        }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
        let count = (last.rawValue - first.rawValue + 7) % 7
        return (0...count).map { allCases[(first.rawValue + $0) % 7] }
    }
}
