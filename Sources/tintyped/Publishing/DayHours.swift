// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

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
