// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A moment as the fields of strftime(3) in the C locale (POSIX.1-2017).
struct WallTime {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    /// From Monday, as in ISO 8601.
    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    private let moment: Timestamp
    private let parts: Timestamp.Components
    private let offset: Int
    /// Days since 1970 in local time.
    private let day: Int

    /// `offset` is the UTC offset in seconds.
    init(_ moment: Timestamp, offset: Int) {
        self.moment = moment
        self.offset = offset
        let local = moment.microseconds + Int64(offset) * 1_000_000
        parts = Timestamp(microseconds: local).utc
        day = Self.day(of: local)
    }

    func text(_ letter: Character) -> String {
        switch letter {
        case "Y": Timestamp.pad(parts.year, 4)
        case "y": Timestamp.pad(parts.year % 100, 2)
        case "m": Timestamp.pad(parts.month, 2)
        case "d": Timestamp.pad(parts.day, 2)
        case "j": Timestamp.pad(dayOfYear(day), 3)
        case "H": Timestamp.pad(parts.hour, 2)
        case "I": Timestamp.pad((parts.hour + 11) % 12 + 1, 2)
        case "p": parts.hour < 12 ? "AM" : "PM"
        case "M": Timestamp.pad(parts.minute, 2)
        case "S": Timestamp.pad(parts.second, 2)
        case "f": Timestamp.pad(parts.microsecond, 6)
        case "s": String((moment.microseconds - (moment.microseconds < 0 ? 999_999 : 0)) / 1_000_000)
        case "z": Self.text(ofOffset: offset)
        case "a": String(Self.weekdays[weekday].prefix(3))
        case "A": Self.weekdays[weekday]
        case "b": String(Self.months[parts.month - 1].prefix(3))
        case "B": Self.months[parts.month - 1]
        case "u": String(weekday + 1)
        // ISO 8601: the year and the week are those of the Thursday.
        case "G": Timestamp.pad(Self.parts(ofDay: day - weekday + 3).year, 4)
        case "V": Timestamp.pad((dayOfYear(day - weekday + 3) - 1) / 7 + 1, 2)
        default: ""
        }
    }

    /// 0 for Monday; 1970 began on a Thursday.
    private var weekday: Int { ((day + 3) % 7 + 7) % 7 }

    /// From 1.
    private func dayOfYear(_ day: Int) -> Int {
        let year = Self.parts(ofDay: day).year
        let first = Timestamp.Components(year: year, month: 1, day: 1, hour: 0, minute: 0, second: 0, microsecond: 0)
        return day - (Timestamp(utc: first).map { Self.day(of: $0.microseconds) } ?? day) + 1
    }

    private static func day(of microseconds: Int64) -> Int {
        Int((microseconds - (microseconds < 0 ? 86_399_999_999 : 0)) / 86_400_000_000)
    }

    private static func parts(ofDay day: Int) -> Timestamp.Components {
        Timestamp(microseconds: Int64(day) * 86_400_000_000).utc
    }

    /// As in `+0100`; seconds of historical time zones before 1972 are truncated.
    private static func text(ofOffset seconds: Int) -> String {
        let (hours, minutes) = (abs(seconds) / 60).quotientAndRemainder(dividingBy: 60)
        return "\(seconds < 0 ? "-" : "+")\(Timestamp.pad(hours, 2))\(Timestamp.pad(minutes, 2))"
    }
}

/// A time parsed from a name: enough strftime(3) fields for a moment.
struct WallTimeReading {
    private let numbers: [Character: Int]

    /// Fields by letter; nil if the day, hour, minute or second is missing.
    init?(_ numbers: [Character: Int]) {
        self.numbers = numbers
        if numbers["s"] != nil { return }
        let hasMonth = numbers["m"] != nil || numbers["b"] != nil || numbers["B"] != nil
        let hasDay = numbers["j"] != nil || (hasMonth && numbers["d"] != nil)
        let hasHour = numbers["H"] != nil || (numbers["I"] != nil && numbers["p"] != nil)
        guard numbers["Y"] != nil, hasDay, hasHour, numbers["M"] != nil, numbers["S"] != nil else { return nil }
    }

    /// Nil for an invalid date, such as 31 February.
    var moment: Timestamp? {
        let microsecond = numbers["f"] ?? 0
        if let seconds = numbers["s"] {
            return Timestamp(microseconds: Int64(seconds) * 1_000_000 + Int64(microsecond))
        }
        guard let year = numbers["Y"] else { return nil }
        var month = numbers["m"] ?? (numbers["b"] ?? numbers["B"]).map { $0 + 1 } ?? 1
        var day = numbers["d"] ?? 1
        if numbers["d"] == nil || (numbers["m"] ?? numbers["b"] ?? numbers["B"]) == nil, let number = numbers["j"] {
            guard let date = Self.date(year, dayOfYear: number) else { return nil }
            (month, day) = (date.month, date.day)
        }
        let hour = numbers["H"] ?? (numbers["I"] ?? 12) % 12 + (numbers["p"] ?? 0) * 12
        let parts = Timestamp.Components(
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: numbers["M"] ?? 0,
            second: numbers["S"] ?? 0,
            microsecond: microsecond
        )
        guard let local = Timestamp(utc: parts) else { return nil }
        return Timestamp(microseconds: local.microseconds - Int64(numbers["z"] ?? 0) * 1_000_000)
    }

    private static func date(_ year: Int, dayOfYear number: Int) -> Timestamp.Components? {
        let first = Timestamp.Components(year: year, month: 1, day: 1, hour: 0, minute: 0, second: 0, microsecond: 0)
        guard let begin = Timestamp(utc: first) else { return nil }
        let date = Timestamp(microseconds: begin.microseconds + Int64(number - 1) * 86_400_000_000).utc
        return date.year == year ? date : nil
    }
}
