// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// A moment of the wall clock (`CLOCK_REALTIME`), to the microsecond; RFC 3339 in UTC on the wire.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted (as POSIX does).
    package let microseconds: Int64

    /// The moment at `microseconds` since 1970.
    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// The moment that the kernel tells as `time`.
    package init(_ time: timespec) {
        self.init(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// The present moment.
    package static func now() -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(time)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// The moment so much later; parts of a microsecond do not count.
    package static func + (moment: Timestamp, distance: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds + distance.nanosecondCount / 1000)
    }

    /// The moment so much earlier; parts of a microsecond do not count.
    package static func - (moment: Timestamp, distance: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds - distance.nanosecondCount / 1000)
    }

    /// From `right` to `left`; negative if `left` comes first.
    package static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds - right.microseconds)
    }

    /// The moment in UTC by calendar and clock.
    package var utc: Components {
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

    /// A moment by calendar and clock.
    package struct Components: Hashable, Sendable {
        /// As in 2026.
        package var year: Int
        /// 1 to 12.
        package var month: Int
        /// 1 to 31.
        package var day: Int
        /// 0 to 23.
        package var hour: Int
        /// 0 to 59.
        package var minute: Int
        /// 0 to 59.
        package var second: Int
        /// 0 to 999,999.
        package var microsecond: Int

        /// A moment of these parts.
        package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, microsecond: Int) {
            self.year = year
            self.month = month
            self.day = day
            self.hour = hour
            self.minute = minute
            self.second = second
            self.microsecond = microsecond
        }
    }

    /// The moment at these parts in UTC; nil if they name none, such as 31 February.
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
}

extension Timestamp: TextCodable {
    /// RFC 3339 with microseconds, as in `2026-11-21T14:30:12.345678Z`.
    package var description: String {
        let parts = utc
        return "\(Self.pad(parts.year, 4))-\(Self.pad(parts.month, 2))-\(Self.pad(parts.day, 2))"
            + "T\(Self.pad(parts.hour, 2)):\(Self.pad(parts.minute, 2)):\(Self.pad(parts.second, 2))"
            + ".\(Self.pad(parts.microsecond, 6))Z"
    }

    /// `number` with zeros before it, `digits` long or longer.
    package static func pad(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    package static let refusal = "is not a time such as 2026-11-21T14:30:12.345678Z"

    /// Reads RFC 3339 in UTC with 0 to 6 decimals; nil if the text is anything else.
    package init?(_ text: String) {
        let letters = text.utf8
        guard letters.count >= 20, letters.last == UInt8(ascii: "Z"), letters.dropFirst(10).first == UInt8(ascii: "T"),
            let moment = HumanTime.parse(text)
        else { return nil }
        self = moment
    }
}
