// SPDX-License-Identifier: Apache-2.0

/// Durations in text form: `200ms`, `10s`, `1.5m`, `1h`, `2d`, `1y`.
package enum HumanDuration {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("y", 365 * 86_400_000),
    ]
    /// Limits of most times of the configuration.
    package static let usualRange = Duration.seconds(1)...Duration.seconds(86_400)
    private static let longest: Double = 3650 * 86_400_000

    /// Up to three decimals and a unit, `y` being 365 days, with spaces before it allowed; nil above ten years.
    package static func parse(_ text: String) -> Duration? {
        guard
            let match = text.wholeMatch(of: /([0-9]{1,12}(?:\.[0-9]{1,3})?) *(ms|s|m|h|d|y)/),
            let number = Double(match.1),
            let unit = units.first(where: { $0.suffix == match.2 })
        else { return nil }
        let milliseconds = number * Double(unit.milliseconds)
        guard milliseconds <= longest else { return nil }
        return .microseconds(Int64((milliseconds * 1000).rounded()))
    }

    /// Shortest text that ``parse(_:)`` reads as `duration`, truncated to milliseconds: `90s`, `5m`, `1500ms`.
    package static func text(_ duration: Duration) -> String {
        let milliseconds = duration.nanosecondCount / 1_000_000
        guard let unit = units.last(where: { milliseconds % $0.milliseconds == 0 }), milliseconds != 0 else {
            return "0s"
        }
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}

/// Durations rounded to about three digits, for problems and the command line.
package enum SpokenDuration {
    /// `0.4 ms`, `33 ms`, `1.5 s`, `2 min 5 s`, `3 h 20 min`, `4 d 2 h`; `under 0.1 ms` below 0.05 ms, `0 ms` for zero.
    package static func text(_ duration: Duration) -> String {
        let milliseconds = duration.millisecondCount
        let seconds = Int((milliseconds / 1000).rounded())
        switch milliseconds {
        case ..<0.05 where milliseconds > 0: return "under 0.1 ms"
        case ..<9.95: return "\(tenths(milliseconds)) ms"
        case ..<999.5: return "\(Int(milliseconds.rounded())) ms"
        case ..<59_950: return "\(tenths(milliseconds / 1000)) s"
        case ..<3_599_500: return "\(seconds / 60) min \(seconds % 60) s"
        case ..<86_399_500: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

/// Duration on the wire: a JSON number of milliseconds, rounded to the microsecond.
package struct Milliseconds: Hashable, Sendable, Codable {
    package var duration: Duration
    package init(_ duration: Duration) { self.duration = duration }

    /// Nil for a number that is not finite, or from 1e12.
    init?(number: Double) {
        guard number.isFinite, abs(number) < 1e12 else { return nil }
        duration = .microseconds(Int64((number * 1000).rounded()))
    }

    /// With at most three decimals.
    var number: Double { (duration.millisecondCount * 1000).rounded() / 1000 }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try container.decode(Double.self)
        guard let time = Milliseconds(number: value) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number of milliseconds")
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}

/// Meter for events per second, averaged over at least a second.
package struct RateMeter: Hashable, Sendable {
    private var began: MonotonicTime?
    private var count = 0
    private var rate: Double?
    package init() {}

    package mutating func count(_ number: Int = 1, at now: MonotonicTime) {
        guard let began else {
            self.began = now
            return
        }
        count += number
        guard now - began >= .seconds(1) else { return }
        rate = Double(count) / ((now - began) / .seconds(1))
        self.began = now
        count = 0
    }

    /// Nil before the first result; 0 if no event occurred for three times the usual interval, at least 3 s.
    package func rate(at now: MonotonicTime) -> Double? {
        guard let began, let rate, rate > 0 else { return rate }
        return now - began > .seconds(3 * max(1, 1 / rate)) ? 0 : rate
    }
}
