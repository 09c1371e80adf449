// SPDX-License-Identifier: Apache-2.0

/// A day of the week, Monday the first (ISO 8601).
enum Weekday: Int, Hashable, Sendable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The three letters that the configuration takes, as in `mon`.
    var word: String { ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][rawValue] }

    /// The day that `word` means; nil for any other word.
    init?(word: some StringProtocol) {
        guard let day = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = day
    }

    /// The weekday of the day with this number since 1970-01-01, which was a Thursday.
    init(daysSince1970 days: Int) {
        let number = (days + Weekday.thursday.rawValue) % 7
        self = Self.allCases[number < 0 ? number + 7 : number]
    }

    /// The days of a text such as `sat` or `fri-mon`, in which the week goes on after Sunday; nil for any other text.
    static func days(_ text: String) -> [Weekday]? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Weekday(word: $0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
        let count = (last.rawValue - first.rawValue + 7) % 7
        return (0...count).map { allCases[(first.rawValue + $0) % 7] }
    }
}
