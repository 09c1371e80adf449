// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A time that was read from a name: enough of the fields of strftime(3) for a moment.
struct WallTimeReading {
    private let numbers: [Character: Int]

    /// The time of these fields, by their letters; nil where they leave the day, the hour, the minute or the second open.
    init?(_ numbers: [Character: Int]) {
        self.numbers = numbers
        if numbers["s"] != nil { return }
        let hasMonth = numbers["m"] != nil || numbers["b"] != nil || numbers["B"] != nil
        let hasDay = numbers["j"] != nil || (hasMonth && numbers["d"] != nil)
        let hasHour = numbers["H"] != nil || (numbers["I"] != nil && numbers["p"] != nil)
        guard numbers["Y"] != nil, hasDay, hasHour, numbers["M"] != nil, numbers["S"] != nil else { return nil }
    }

    /// The moment; nil where the fields name none, such as 31 February.
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
