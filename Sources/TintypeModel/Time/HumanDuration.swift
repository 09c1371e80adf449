// SPDX-License-Identifier: Apache-2.0

/// Durations as people write them: `200ms`, `10s`, `1.5m`, `1h`, `2d`, `1y`.
package enum HumanDuration {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
        ("y", 365 * 86_400_000),
    ]
    private static let longest: Double = 3650 * 86_400_000

    /// Reads a number, with up to three decimals, and its unit `ms`, `s`, `m`, `h`, `d` or `y`, a year of 365 days.
    ///
    /// Nil if the text is anything else, such as a number without a unit, or names more than ten years. Between the
    /// two there may be spaces.
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

    /// The shortest text that ``parse(_:)`` reads as `duration`, to the millisecond: `90s`, `5m`, `1500ms`.
    package static func text(_ duration: Duration) -> String {
        let milliseconds = duration.nanosecondCount / 1_000_000
        guard let unit = units.last(where: { milliseconds % $0.milliseconds == 0 }), milliseconds != 0 else {
            return "0s"
        }
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}
