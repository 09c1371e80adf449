// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// Date and time of day in the daemon's time zone (`TZ` or /etc/localtime), by localtime_r(3) and strftime(3).
@safe package struct LocalTime {
    private var parts: tm
    private let moment: Timestamp

    /// localtime_r(3) need not call tzset(3) (POSIX.1-2017).
    private static let zone: Void = tzset()

    package init(_ moment: Timestamp) {
        _ = Self.zone
        self.moment = moment
        unsafe parts = unsafe tm()
        let micros = moment.microseconds
        var seconds = time_t(micros >= 0 ? micros / 1_000_000 : (micros - 999_999) / 1_000_000)
        unsafe localtime_r(&seconds, &parts)
    }

    /// UTC offset in seconds, positive east of Greenwich.
    package var secondsFromUTC: Int { unsafe parts.tm_gmtoff }

    /// Local days since 1970-01-01.
    package var day: Int {
        let micros = moment.microseconds + Int64(secondsFromUTC) * 1_000_000
        return Int((micros - (micros < 0 ? 86_399_999_999 : 0)) / 86_400_000_000)
    }

    /// The moment of a local time of day, in microseconds since midnight, on a day counted from 1970-01-01.
    ///
    /// An ambiguous time gives the earlier moment. A skipped time is shifted forward by the length of the gap.
    package static func moment(day: Int, time: Int64) -> Timestamp {
        func offset(at moment: Timestamp) -> Duration { .seconds(LocalTime(moment).secondsFromUTC) }
        let shown = Timestamp(microseconds: Int64(day) * 86_400_000_000 + time)
        // Offset before a possible transition on that day.
        let before = offset(at: shown - .seconds(86_400))
        let early = shown - before
        let after = offset(at: early)
        let late = shown - after
        return after == before || offset(at: late) != after ? early : late
    }

    /// `+01:00`.
    var offsetText: String {
        let minutes = secondsFromUTC / 60
        let (hour, minute) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        return "\(minutes < 0 ? "-" : "+")\(Timestamp.pad(hour, 2)):\(Timestamp.pad(minute, 2))"
    }

    /// Formats with strftime(3); empty if the result is longer than 4 KiB.
    func text(_ format: String) -> String {
        var parts = unsafe parts
        let capacity = 4096
        var buffer = [CChar](repeating: 0, count: capacity)
        let count = unsafe strftime(&buffer, capacity, format, &parts)
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
