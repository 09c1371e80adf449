// SPDX-License-Identifier: Apache-2.0

/// Bit reader for entropy-coded data, up to the next marker (ITU-T T.81, F.2.2.5).
///
/// Returns zeros past the end; ``available`` is negative then.
struct EntropyBits {
    /// Next bits, left-aligned.
    private(set) var bits: UInt64 = 0
    /// Number of valid bits in ``bits``; negative if more were taken than the data has.
    private(set) var available = 0
    private(set) var position: Int

    init(at position: Int) { self.position = position }

    /// Ensures at least 56 bits, unless the data ends before.
    @inline(__always) mutating func fill(from bytes: RawSpan) {
        if position &+ 8 <= bytes.byteCount {
            let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self).bigEndian
            // Fast path without FF, thus without markers and stuffed zeros; not used after the end of the data.
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

    @inline(__always) mutating func consume(_ count: Int) {
        bits &<<= UInt64(truncatingIfNeeded: count)
        available &-= count
    }

    /// The next 1 to 32 bits, without consuming them.
    @inline(__always) func peek(_ count: Int) -> Int {
        Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- count))
    }

    /// Bytes after the last consumed one, up to the next marker or the end of `bytes`; empty as a rule.
    ///
    /// Nil if the remaining bits of the last byte are not padding: all ones (as in the standard) or all zeros.
    func surplus(in bytes: RawSpan) -> Range<Int>? {
        let padding = max(0, available) % 8
        let rest = padding == 0 ? 0 : peek(padding)
        guard available >= 0, rest == 0 || rest == 1 << padding - 1 else { return nil }
        let start = firstUnusedByte(in: bytes)
        var end = bytes.offset(ofMarkerFrom: start) { $0.rawValue != 0 } ?? bytes.byteCount
        // Fill bytes belong to the marker.
        while end > start, end < bytes.byteCount, bytes.byte(at: end - 1) == 0xFF { end -= 1 }
        return start..<end
    }

    /// Skips the restart marker with the number `count % 8`, and surplus bytes before it, which are returned.
    ///
    /// Nil if another marker comes next, or more data than a camera's ``JPEGScanReader/mostSurplus`` bytes.
    mutating func restart(behind count: Int, in bytes: RawSpan) -> Range<Int>? {
        guard let surplus = surplus(in: bytes), surplus.count <= JPEGScanReader.mostSurplus,
            let (marker, end) = bytes.marker(at: surplus.upperBound), Int(marker.rawValue) == 0xD0 + count % 8
        else { return nil }
        self = EntropyBits(at: end)
        return surplus
    }

    private func firstUnusedByte(in bytes: RawSpan) -> Int {
        var place = position
        for _ in 0..<max(0, available) / 8 {
            // In entropy-coded data a zero after FF is always a stuffed one.
            place -= bytes.byte(at: place - 1) == 0 && bytes.byte(at: place - 2) == 0xFF ? 2 : 1
        }
        return place
    }
}
