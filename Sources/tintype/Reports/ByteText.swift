// SPDX-License-Identifier: Apache-2.0

/// Numbers of bytes as a person reads them, to about three digits; units of 1024.
enum ByteText {
    private static let units = ["kB", "MB", "GB", "TB", "PB"]

    /// As in `812 B`, `29.2 kB`, `1.4 MB`, `120 GB`.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var size = Double(bytes) / 1024
        var unit = 0
        // 999.5 would be rounded to four digits.
        while size >= 999.5, unit + 1 < units.count {
            size /= 1024
            unit += 1
        }
        let tenths = Int((size * 10).rounded())
        let number = size < 99.95 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(size.rounded()))"
        return "\(number) \(units[unit])"
    }
}
