// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// HTTP date with a resolution of one second, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
struct HTTPDate: CustomStringConvertible {
    let description: String

    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    init(_ time: Timestamp) {
        let parts = time.utc
        let perDay: Int64 = 86_400_000_000
        let day = (time.microseconds - (time.microseconds < 0 ? perDay - 1 : 0)) / perDay
        // 1970-01-01, day 0, was a Thursday.
        let weekday = Self.days[Int((day % 7 + 10) % 7)]
        let clock = [parts.hour, parts.minute, parts.second].map { Timestamp.pad($0, 2) }.joined(separator: ":")
        description =
            "\(weekday), \(Timestamp.pad(parts.day, 2)) \(Self.months[parts.month - 1]) "
            + "\(Timestamp.pad(parts.year, 4)) \(clock) GMT"
    }
}
