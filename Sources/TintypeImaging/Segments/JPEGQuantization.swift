// SPDX-License-Identifier: Apache-2.0

/// The quantisation tables that a picture has brought so far (DQT; ITU-T T.81, B.2.4.1).
struct JPEGQuantization {
    /// Four tables of 64 steps in zigzag order, one behind the other; 0 where there is none.
    private(set) var steps = [UInt16](repeating: 0, count: 256)
    private var known: UInt8 = 0

    /// Begins a picture: it has no tables yet.
    mutating func begin() { known = 0 }

    /// Whether there is a table of this number, 0 to 3.
    func has(_ table: Int) -> Bool { known >> table & 1 == 1 }

    /// Takes all tables of a segment.
    mutating func read(_ segment: JPEGSegment) throws(ImagingError) {
        let payload = segment.payload
        var place = 0
        while place < payload.byteCount {
            let first = payload.byte(at: place)
            let (isWide, table) = (first >> 4 == 1, Int(first & 15))
            place += 1
            guard first >> 4 <= 1, table <= 3, place + (isWide ? 128 : 64) <= payload.byteCount else {
                throw .notJPEG("the quantisation tables (DQT) at byte \(segment.offset) are damaged")
            }
            for index in 0..<64 {
                let step = isWide ? payload.bigEndian16(at: place) : Int(payload.byte(at: place))
                steps[table * 64 + index] = UInt16(step)
                place += isWide ? 2 : 1
            }
            known |= 1 << table
        }
    }
}
