// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// A moment by calendar and clock in the daemon's time zone (`TZ`, or /etc/localtime).
///
/// The C functions are `localtime_r` and `strftime`.
@safe package struct LocalTime {
    private var parts: tm
    private let moment: Timestamp

    /// `localtime_r` may leave `TZ` unread (POSIX.1-2017).
    private static let zone: Void = tzset()

    /// The calendar and clock at `moment`.
    package init(_ moment: Timestamp) {
        _ = Self.zone
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

    /// The day by the clock, counted from 1970-01-01.
    package var day: Int {
        let micros = moment.microseconds + Int64(secondsFromUTC) * 1_000_000
        return Int((micros - (micros < 0 ? 86_399_999_999 : 0)) / 86_400_000_000)
    }

    /// The moment at which the clock shows `time`, in microseconds since midnight, on a day that is counted from 1970-01-01.
    ///
    /// The first moment if the clock shows the time twice. If it skips the time, as much later as it is set forward.
    package static func moment(day: Int, time: Int64) -> Timestamp {
        func offset(at moment: Timestamp) -> Duration { .seconds(LocalTime(moment).secondsFromUTC) }
        let shown = Timestamp(microseconds: Int64(day) * 86_400_000_000 + time)
        // Before the clock is set on that day, if it is.
        let before = offset(at: shown - .seconds(86_400))
        let early = shown - before
        let after = offset(at: early)
        let late = shown - after
        return after == before || offset(at: late) != after ? early : late
    }

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
