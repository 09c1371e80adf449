// SPDX-License-Identifier: Apache-2.0

/// The marker segments of one JPEG picture, from SOI to EOI.
///
/// Nothing is decoded: a picture that passes has sound segments, and its entropy-coded data may still be damaged. Source:
/// ITU-T T.81, Annex B.
struct JPEGStructure {
    /// What the frame header (SOF) says.
    let header: JPEGHeader
    /// Whether Huffman tables (DHT) come before the first scan.
    private(set) var hasHuffmanTables = false
    /// The first byte after EOI; what comes later is padding.
    ///
    /// Where there is no EOI, the number of bytes.
    let end: Int
    /// Whether there is an EOI marker, and the entropy-coded data does not go on to the last byte.
    let isTerminated: Bool

    /// Walks a picture; reads nothing outside `bytes`.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` or ``ImagingError/truncated``.
    init(_ bytes: RawSpan) throws(ImagingError) {
        var walk = try JPEGWalk(bytes)
        var quantization = JPEGQuantization()
        var hasScan = false
        while true {
            let segment = try walk.next()
            switch segment.marker {
            case .huffmanTables: hasHuffmanTables = hasHuffmanTables || !hasScan
            case .quantizationTables: try quantization.read(segment)
            case .startOfScan:
                guard let frame = walk.frame else { continue }
                let scan = try JPEGScanHeader(segment, of: frame)
                guard scan.components.allSatisfy({ quantization.has($0.component.quantization) }) else {
                    throw .notJPEG("its scan (SOS) comes before the quantisation tables (DQT) that it needs")
                }
                hasScan = true
                guard !walk.skipEntropyCodedData() else { continue }
                (header, end, isTerminated) = (frame, bytes.byteCount, false)
                return
            case .endOfImage:
                guard let frame = walk.frame, hasScan else { throw .notJPEG("it has no scan (SOS)") }
                (header, end, isTerminated) = (frame, walk.position, true)
                return
            default: continue
            }
        }
    }
}

/// The quantisation tables that a picture has brought so far (DQT; ITU-T T.81, B.2.4.1).
struct JPEGQuantization {
    /// Four tables of 64 steps in zigzag order, one behind the other; 0 where there is none.
    private(set) var steps = [UInt16](repeating: 0, count: 256)
    private var known: UInt8 = 0

    /// Begins a picture: it has no tables yet.
    mutating func begin() { known = 0 }

    /// Whether there is a table of this number, 0 to 3.
    func has(_ table: Int) -> Bool { known >> table & 1 == 1 }

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
