// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A part of every day by the wall clock, as in `06:00-20:00`, or of a night, as in `22:00-05:00`.
struct DayHours: Hashable, Sendable {
    /// Minutes from midnight to its begin, which is in it: 0 to 1439.
    let begin: Int
    /// Minutes from midnight to its end, which is not in it: 1 to 1440, or 0 for the midnight that ends the day.
    let end: Int

    /// Reads `HH:MM-HH:MM`, the end up to `24:00`; nil for any other text, and where it begins and ends alike.
    init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.minutes(of: $0) }
        guard ends.count == 2, let begin = ends[0], let end = ends[1], begin < Self.day,
            begin % Self.day != end % Self.day
        else { return nil }
        self.begin = begin
        self.end = end
    }

    /// Minutes of a day.
    static let day = 1440

    /// Reads `HH:MM`, up to `24:00`, as minutes since midnight; nil for any other text.
    static func minutes(of text: some StringProtocol) -> Int? {
        guard let match = String(text).wholeMatch(of: /([0-9]{2}):([0-9]{2})/),
            let hour = Int(match.1), let minute = Int(match.2), minute < 60, hour * 60 + minute <= day
        else { return nil }
        return hour * 60 + minute
    }

    /// `minutes` since midnight, as in `06:00`.
    static func text(_ minutes: Int) -> String {
        "\(Timestamp.pad(minutes / 60, 2)):\(Timestamp.pad(minutes % 60, 2))"
    }
}

extension DayHours: CustomStringConvertible {
    var description: String { "\(Self.text(begin))-\(Self.text(end))" }
}

/// A day of the week, Monday the first (ISO 8601).
enum Weekday: Int, Hashable, Sendable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The three letters that the configuration takes, as in `mon`.
    var word: String { ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][rawValue] }

    /// The weekday of the day with this number since 1970-01-01, which was a Thursday.
    init(daysSince1970 days: Int) { self = Self.allCases[((days + 3) % 7 + 7) % 7] }

    /// The days of a text such as `sat` or `fri-mon`, in which the week goes on after Sunday; nil for any other text.
    static func days(_ text: String) -> [Weekday]? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { end in
            allCases.first { $0.word == end }
        }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
        let count = (last.rawValue - first.rawValue + 7) % 7
        return (0...count).map { allCases[(first.rawValue + $0) % 7] }
    }
}
