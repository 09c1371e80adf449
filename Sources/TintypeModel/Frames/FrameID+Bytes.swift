// SPDX-License-Identifier: Apache-2.0

extension FrameID {
    /// Its 16 bytes, the first first (RFC 9562, section 4).
    package var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
    }

    /// The id of these bytes; nil unless there are 16.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        func half(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(bytes.prefix(8)), low: half(bytes.dropFirst(8)))
    }

    /// The first that an id of this millisecond since 1970 can be, of which 48 bits count; the last of all behind these.
    package init(firstOf millisecond: Int64) {
        let isLast = millisecond >> 48 > 0
        self.init(high: isLast ? .max : UInt64(max(0, millisecond)) << 16, low: isLast ? .max : 0)
    }

    /// The next one in order; the last of all has none, and stays.
    package var next: FrameID {
        let (low, overflow) = self.low.addingReportingOverflow(1)
        guard overflow else { return FrameID(high: high, low: low) }
        return high == .max ? self : FrameID(high: high + 1, low: 0)
    }
}
