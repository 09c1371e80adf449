// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// Time on `CLOCK_REALTIME` in microseconds; RFC 3339 in UTC on the wire.
package struct Timestamp: Hashable, Comparable, Sendable, TextCodable {
    /// Microseconds since 1970-01-01T00:00:00Z without leap seconds (POSIX time).
    package let microseconds: Int64
    package init(microseconds: Int64) { self.microseconds = microseconds }
    /// Limit of times that come from outside: 36,000 years from 1970, so that no sum or difference overflows.
    private static let farthest: Int64 = 1 << 60

    /// Truncates to microseconds; a time too far away, which some file systems keep, becomes the limit.
    package init(_ time: timespec) {
        let most = Self.farthest / 1_000_000
        let seconds = min(max(Int64(time.tv_sec), -most), most)
        self.init(microseconds: seconds * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    package static func now() -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(time)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// Truncates `distance` to microseconds.
    package static func + (moment: Timestamp, distance: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.plus(distance.nanosecondCount / 1000))
    }

    package static func - (moment: Timestamp, distance: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.minus(distance.nanosecondCount / 1000))
    }

    /// Negative if `left` is earlier.
    package static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds.minus(right.microseconds))
    }

    /// Calendar date and time of day in UTC.
    package var utc: Components {
        let microseconds = min(max(microseconds, -Self.farthest), Self.farthest)
        var seconds = (Int(microseconds) - (microseconds < 0 ? 999_999 : 0)) / 1_000_000
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        return unsafe Components(
            year: Int(parts.tm_year) + 1900,
            month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour),
            minute: Int(parts.tm_min),
            second: Int(parts.tm_sec),
            microsecond: Int(microseconds) - seconds * 1_000_000
        )
    }

    package struct Components: Hashable, Sendable {
        package var year: Int
        package var month: Int
        package var day: Int
        package var hour: Int
        package var minute: Int
        package var second: Int
        /// 0 to 999,999.
        package var microsecond: Int
    }

    /// Time of calendar components in UTC; nil if they do not exist, such as 31 February.
    package init?(utc parts: Components) {
        var fields = unsafe tm()
        unsafe fields.tm_year = CInt(parts.year - 1900)
        unsafe fields.tm_mon = CInt(parts.month - 1)
        unsafe fields.tm_mday = CInt(parts.day)
        unsafe fields.tm_hour = CInt(parts.hour)
        unsafe fields.tm_min = CInt(parts.minute)
        unsafe fields.tm_sec = CInt(parts.second)
        let seconds = unsafe timegm(&fields)
        self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(parts.microsecond))
        guard utc == parts else { return nil }
    }

    /// RFC 3339 with microseconds, as in `2026-11-21T14:30:12.345678Z`.
    package var description: String {
        let parts = utc
        return "\(Self.pad(parts.year, 4))-\(Self.pad(parts.month, 2))-\(Self.pad(parts.day, 2))"
            + "T\(Self.pad(parts.hour, 2)):\(Self.pad(parts.minute, 2)):\(Self.pad(parts.second, 2))"
            + ".\(Self.pad(parts.microsecond, 6))Z"
    }

    package static func pad(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        let missing = digits - text.utf8.count
        return missing > 0 ? String(repeating: "0", count: missing) + text : text
    }

    /// Parses RFC 3339 in UTC with 0 to 6 decimals.
    package init?(_ text: String) {
        let letters = text.utf8
        guard letters.count >= 20, letters.last == UInt8(ascii: "Z"), letters.dropFirst(10).first == UInt8(ascii: "T"),
            let moment = HumanTime.parse(text)
        else { return nil }
        self = moment
    }
}

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
