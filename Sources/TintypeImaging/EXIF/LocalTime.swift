// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// A moment by calendar and clock in the daemon's time zone (`TZ`, or /etc/localtime as it was at the start).
///
/// The C functions are `localtime_r` and `strftime`.
@safe package struct LocalTime {
    private var parts: tm
    private let moment: Timestamp

    /// The calendar and clock at `moment`.
    package init(_ moment: Timestamp) {
        self.moment = moment
        unsafe parts = unsafe tm()
        let micros = moment.microseconds
        var seconds = time_t(micros >= 0 ? micros / 1_000_000 : (micros - 999_999) / 1_000_000)
        unsafe localtime_r(&seconds, &parts)
    }

    /// The moment as EXIF writes it, as in `2026:11:21 14:30:12`.
    var exifText: String { text("%Y:%m:%d %H:%M:%S") }

    /// The fraction of the second, six digits.
    var fractionText: String { Timestamp.pad(moment.utc.microsecond, 6) }

    /// How far the zone is ahead of UTC at that moment, in seconds.
    package var secondsFromUTC: Int { unsafe parts.tm_gmtoff }

    /// How far the zone is ahead of UTC, as in `+01:00`.
    var offsetText: String {
        let minutes = unsafe parts.tm_gmtoff / 60
        let (hour, minute) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        return "\(minutes < 0 ? "-" : "+")\(Timestamp.pad(hour, 2)):\(Timestamp.pad(minute, 2))"
    }

    /// The fields of strftime(3) in `format` filled in; cut at 4 KiB.
    func text(_ format: String) -> String {
        var parts = unsafe parts
        // An empty text and one without room are the same to strftime: one more character tells them apart.
        for capacity in [512, 4096] {
            var buffer = [CChar](repeating: 0, count: capacity)
            let count = unsafe strftime(&buffer, capacity, format + " ", &parts)
            if count > 0 {
                return String(decoding: buffer.prefix(count - 1).map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        return ""
    }
}
