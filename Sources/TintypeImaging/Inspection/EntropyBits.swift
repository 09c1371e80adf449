// SPDX-License-Identifier: Apache-2.0

/// The bits of entropy-coded data, up to the marker that ends it (ITU-T T.81, F.2.2.5).
///
/// Behind the last bit there are zeros; ``available`` tells that they are none of the data's.
struct EntropyBits {
    /// The next bits, from the left.
    private(set) var bits: UInt64 = 0
    /// How many of ``bits`` are of the data; negative once more were taken than there are.
    private(set) var available = 0
    /// The next byte that was not read yet.
    private(set) var position: Int

    init(at position: Int) { self.position = position }

    /// Sees to it that there are at least 56 bits, unless the data ends before.
    @inline(__always) mutating func fill(from bytes: RawSpan) {
        if position &+ 8 <= bytes.byteCount {
            let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self).bigEndian
            // No byte of it is FF: none of them is a marker or a stuffed zero. Where more bits were taken than there are, a
            // marker comes next.
            let inverted = ~word
            if (inverted &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 == 0 {
                bits |= word &>> UInt64(truncatingIfNeeded: available)
                position &+= (63 &- available) >> 3
                available |= 56
                return
            }
        }
        fillByBytes(from: bytes)
    }

    private mutating func fillByBytes(from bytes: RawSpan) {
        while (0..<56).contains(available), position < bytes.byteCount {
            let byte = bytes.byte(at: position)
            if byte == 0xFF {
                guard position + 1 < bytes.byteCount, bytes.byte(at: position + 1) == 0 else { return }
                position += 1
            }
            position += 1
            bits |= UInt64(byte) << UInt64(56 - available)
            available += 8
        }
    }

    /// Takes up to 32 bits.
    @inline(__always) mutating func take(_ count: Int) {
        bits &<<= UInt64(truncatingIfNeeded: count)
        available &-= count
    }

    /// The left `count` bits, 1 to 32.
    @inline(__always) func peek(_ count: Int) -> Int {
        Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- count))
    }

    /// Whether no bit is left but those that fill the last byte, all ones as the standard has them or all zeros.
    mutating func isAtEnd(in bytes: RawSpan) -> Bool {
        fillByBytes(from: bytes)
        guard (0..<8).contains(available) else { return false }
        let rest = available == 0 ? 0 : peek(available)
        return rest == 0 || rest == 1 << available - 1
    }

    /// Goes over the restart marker whose turn it is after so many; false if there is another one, none, or more data.
    mutating func restart(behind count: Int, in bytes: RawSpan) -> Bool {
        guard isAtEnd(in: bytes), let (marker, end) = bytes.marker(at: position),
            Int(marker.rawValue) == 0xD0 + count % 8
        else { return false }
        self = EntropyBits(at: end)
        return true
    }

    /// The first byte of which no bit was taken.
    func firstUnusedByte(in bytes: RawSpan) -> Int {
        var place = position
        for _ in 0..<max(0, available) / 8 {
            // In this data a zero behind FF is always a stuffed one.
            place -= bytes.byte(at: place - 1) == 0 && bytes.byte(at: place - 2) == 0xFF ? 2 : 1
        }
        return place
    }
}
