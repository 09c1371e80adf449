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
