// SPDX-License-Identifier: Apache-2.0

/// Identifier of a frame: a UUID version 7 (RFC 9562, section 5.7), which sorts by time.
package struct FrameID: Hashable, Comparable, Sendable, TextCodable {
    let high: UInt64
    let low: UInt64
    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// New ID for a frame of `time`, with 74 random bits.
    package init(at time: Timestamp) {
        var generator = SystemRandomNumberGenerator()
        let milliseconds = UInt64(max(0, time.microseconds / 1000))
        high = milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF
        low = 0x8000_0000_0000_0000 | generator.next() & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// Parses the 8-4-4-4-12 form in either case.
    package init?(_ text: String) {
        // Hand-written for speed: one page of a list has a thousand IDs.
        var (high, low): (UInt64, UInt64) = (0, 0)
        var index = 0
        for byte in text.utf8 {
            switch index {
            case 8, 13, 18, 23:
                guard byte == 0x2D else { return nil }
            case 0..<36:
                guard let digit = Self.digit(byte) else { return nil }
                high = high << 4 | low >> 60
                low = low << 4 | digit
            default: return nil
            }
            index += 1
        }
        guard index == 36 else { return nil }
        (self.high, self.low) = (high, low)
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x41...0x46: UInt64(byte - 0x41 + 10)
        case 0x61...0x66: UInt64(byte - 0x61 + 10)
        default: nil
        }
    }

    /// Time stamp of the ID in milliseconds since 1970.
    package var millisecond: Int64 { Int64(high >> 16) }
    /// True if the time stamp is that of ``init(at:)`` for `time`.
    package func isOf(_ time: Timestamp) -> Bool { millisecond == max(0, time.microseconds / 1000) }
    /// Orders by time stamp; the order within one millisecond is random.
    package static func < (left: FrameID, right: FrameID) -> Bool { (left.high, left.low) < (right.high, right.low) }

    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            let half = index < 16 ? high : low
            let digit = UInt8(half >> UInt64(60 - index % 16 * 4) & 15)
            text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// 16 bytes in network byte order (RFC 9562, section 4).
    package var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
    }

    /// Nil unless there are 16 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        func half(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(bytes.prefix(8)), low: half(bytes.dropFirst(8)))
    }

    /// First ID of a millisecond since 1970; the largest of all IDs if the number exceeds 48 bits.
    package init(firstOf millisecond: Int64) {
        let isLast = millisecond >> 48 > 0
        self.init(high: isLast ? .max : UInt64(max(0, millisecond)) << 16, low: isLast ? .max : 0)
    }

    /// Next ID in order; the largest one returns itself.
    package var next: FrameID {
        let (low, overflow) = self.low.addingReportingOverflow(1)
        guard overflow else { return FrameID(high: high, low: low) }
        return high == .max ? self : FrameID(high: high + 1, low: 0)
    }
}
