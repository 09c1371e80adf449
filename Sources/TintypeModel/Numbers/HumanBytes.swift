// SPDX-License-Identifier: Apache-2.0

/// Byte counts in text form: `812`, `100k`, `1.5M`, `64M`, `2G`, `1T`, with units of 1024.
package enum HumanBytes {
    private static let units: [(suffix: Character, bytes: Int)] = [
        ("k", 1 << 10), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40),
    ]
    private static let longest = 1 << 50

    /// Parses whole bytes, or up to three decimals with a unit `k`, `K`, `M`, `G` or `T`; nil above 1024 T.
    package static func parse(_ text: String) -> Int? {
        guard let match = text.wholeMatch(of: /([0-9]{1,16})(?:\.([0-9]{1,3}))?([kKMGT])?/), let whole = Int(match.1),
            match.2 == nil || match.3 != nil
        else { return nil }
        let unit = units.first { $0.suffix == match.3?.first }?.bytes ?? 1
        // The limit is a multiple of every unit, so the product cannot overflow.
        guard whole <= longest / unit else { return nil }
        let thousandths = match.2.flatMap { Int(($0 + "00").prefix(3)) } ?? 0
        let bytes = whole * unit + thousandths * unit / 1000
        return bytes <= longest ? bytes : nil
    }

    /// Shortest text that ``parse(_:)`` reads as exactly `bytes`: `64M`, `1000`, `0`.
    package static func text(_ bytes: Int) -> String {
        guard bytes > 0, let unit = units.last(where: { bytes % $0.bytes == 0 && $0.suffix != "K" }) else {
            return "\(bytes)"
        }
        return "\(bytes / unit.bytes)\(unit.suffix)"
    }

    /// Rounds to about three digits: `812`, `29.2k`, `1.4M`, `120G`.
    package static func rounded(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(bytes)" }
        let suffixes: [Character] = ["k", "M", "G", "T"]
        var size = Double(bytes) / 1024
        var unit = 0
        // 999.5 would round to four digits.
        while size >= 999.5, unit + 1 < suffixes.count {
            size /= 1024
            unit += 1
        }
        let tenths = Int((size * 10).rounded())
        let number = size < 99.95 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(size.rounded()))"
        return "\(number)\(suffixes[unit])"
    }
}
