// SPDX-License-Identifier: Apache-2.0

/// Times in text form: a day, or a day and a time, in UTC unless an offset follows.
package enum HumanTime {
    /// Parses `2026-11-20`, `2026-11-20T12:30` or `2026-11-20 12:30:05.5`, then `Z` or an offset such as `+01:00`.
    ///
    /// A day means its start; nil for a nonexistent date, such as 31 February.
    package static func parse(_ text: String) -> Timestamp? {
        var reader = Reader(rest: text.utf8[...])
        guard var parts = reader.day() else { return nil }
        if reader.consume("T") || reader.consume(" ") {
            guard reader.readTime(into: &parts) else { return nil }
        }
        guard let offset = reader.offset(), reader.rest.isEmpty, let utc = Timestamp(utc: parts) else { return nil }
        return Timestamp(microseconds: utc.microseconds - Int64(offset) * 60_000_000)
    }

    /// Parses a day, optionally followed by `Z` or an offset, as its start.
    package static func parseDay(_ text: String) -> Timestamp? {
        text.utf8.dropFirst(10).first.map { "Z+-".utf8.contains($0) } ?? true ? parse(text) : nil
    }

    private struct Reader {
        var rest: Substring.UTF8View

        mutating func consume(_ character: Character) -> Bool {
            guard rest.first == character.asciiValue else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func number(_ digits: Int) -> Int? {
            let text = rest.prefix(digits)
            guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(digits)
            return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        mutating func day() -> Timestamp.Components? {
            guard let year = number(4), consume("-"), let month = number(2), consume("-"), let day = number(2) else {
                return nil
            }
            return .init(year: year, month: month, day: day, hour: 0, minute: 0, second: 0, microsecond: 0)
        }

        mutating func readTime(into parts: inout Timestamp.Components) -> Bool {
            guard let hour = number(2), consume(":"), let minute = number(2) else { return false }
            (parts.hour, parts.minute) = (hour, minute)
            guard consume(":") else { return true }
            guard let second = number(2) else { return false }
            parts.second = second
            guard consume(".") else { return true }
            let digits = rest.prefix { (0x30...0x39).contains($0) }.count
            guard (1...6).contains(digits), var fraction = number(digits) else { return false }
            for _ in digits..<6 { fraction *= 10 }
            parts.microsecond = fraction
            return true
        }

        /// Offset from UTC in minutes, positive to the east; 0 if absent.
        mutating func offset() -> Int? {
            guard !rest.isEmpty, !consume("Z") else { return 0 }
            let sign = consume("+") ? 1 : consume("-") ? -1 : 0
            guard sign != 0, let hours = number(2), hours < 24 else { return nil }
            guard rest.isEmpty || consume(":") else { return nil }
            guard let minutes = rest.isEmpty ? 0 : number(2), minutes < 60 else { return nil }
            return sign * (hours * 60 + minutes)
        }
    }
}
