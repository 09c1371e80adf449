// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Broken-down time in a name, in the C locale: nothing calls setlocale(3).
@safe struct NameTime {
    /// Nil if the name lacks the day, hour, minute or second.
    private(set) var moment: Timestamp?
    private var parts = unsafe tm()
    private var seconds: Int
    private var microsecond: Int

    /// `offset` is the UTC offset in seconds.
    init(_ moment: Timestamp, offset: Int) {
        self.moment = moment
        let (quotient, remainder) = Int(moment.microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        (seconds, microsecond) = remainder < 0 ? (quotient - 1, remainder + 1_000_000) : (quotient, remainder)
        var local = seconds + offset
        unsafe gmtime_r(&local, &parts)
        unsafe parts.tm_gmtoff = offset
    }

    /// Parses fields by their letters; ``text(_:)`` differs for fields that disagree and dates that do not exist.
    init(_ texts: [NameField: String]) {
        func number<N: FixedWidthInteger>(_ letter: Character, or other: N = 0) -> N {
            texts[.time(letter)].flatMap { UInt($0) }.map { N($0) } ?? other
        }
        func has(_ letters: String) -> Bool { letters.contains { texts[.time($0)] != nil } }
        let zone = texts[.time("z")].flatMap { Int($0) } ?? 0
        let offset = (zone / 100 * 60 + zone % 100) * 60
        self.init(Timestamp(microseconds: 0), offset: offset)
        unsafe parts.tm_year = number("Y") - 1900
        unsafe parts.tm_mon = number("m", or: 1) - 1
        unsafe parts.tm_mday = number("d")
        unsafe parts.tm_hour = number("H", or: number("I") % 12 + (texts[.time("p")] == "PM" ? 12 : 0))
        unsafe parts.tm_min = number("M")
        unsafe parts.tm_sec = number("S")
        microsecond = number("f")
        // A name of a month or weekday begins with its abbreviation.
        let (month, weekday) = (texts[.time("b")] ?? texts[.time("B")], texts[.time("a")] ?? texts[.time("A")])
        for index in 0..<12 where month?.hasPrefix(text("b")) == false { unsafe parts.tm_mon = CInt(index) }
        for index in 0..<7 where weekday?.hasPrefix(text("a")) == false { unsafe parts.tm_wday = CInt(index) }
        let hasDate = has("mbB") && has("d")
        let hasClock = (has("H") || has("I") && has("p")) && has("M") && has("S")
        moment = nil
        guard has("s") || has("Y") && (hasDate || has("j")) && hasClock else { return }
        // timegm(3) accepts the 325th of January.
        if !hasDate { unsafe (parts.tm_mon, parts.tm_mday) = (0, number("j")) }
        let seconds = has("s") ? number("s") : unsafe timegm(&parts) - offset
        self.init(Timestamp(microseconds: Int64(seconds * 1_000_000 + microsecond)), offset: offset)
    }

    func text(_ letter: Character) -> String {
        switch letter {
        case "s": return String(seconds)
        case "f": return Timestamp.pad(microsecond, 6)
        default:
            var parts = unsafe parts
            var buffer = [CChar](repeating: 0, count: 32)
            // glibc's `%Y` alone gives a year before 1000 fewer digits.
            let format = "YG".contains(letter) ? "%04\(letter)" : "%\(letter)"
            let count = unsafe strftime(&buffer, buffer.count, format, &parts)
            return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
