// SPDX-License-Identifier: Apache-2.0

/// Byte counts in text form: `812`, `100k`, `1.5M`, `64M`, `2G`, `1T`, with units of 1024.
package enum HumanBytes {
    private static let units: [(suffix: Character, bytes: Int)] = [
        ("k", 1 << 10), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40),
    ]

    /// Parses whole bytes, or up to three decimals with a unit `k`, `K`, `M`, `G` or `T`; nil above 1024 T.
    package static func parse(_ text: String) -> Int? {
        let unit = text.last.flatMap { last in units.first { $0.suffix == last } }
        let parts = (unit == nil ? text[...] : text.dropLast()).split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ digits($0, 1...16) }) else { return nil }
        guard parts.count > 1 else { return bytes(whole, 0, of: unit?.bytes ?? 1) }
        guard parts.count == 2, let unit, let fraction = digits(parts[1], 1...3) else { return nil }
        let thousandths =
            parts[1].utf8.count == 1 ? fraction * 100 : parts[1].utf8.count == 2 ? fraction * 10 : fraction
        return bytes(whole, thousandths, of: unit.bytes)
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

    private static func bytes(_ whole: Int, _ thousandths: Int, of unit: Int) -> Int? {
        guard whole <= 1 << 50 else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        guard !overflow, product <= 1 << 50 else { return nil }
        let sum = product + thousandths * unit / 1000
        return sum <= 1 << 50 ? sum : nil
    }

    private static func digits(_ text: Substring, _ count: ClosedRange<Int>) -> Int? {
        guard count.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
