// SPDX-License-Identifier: Apache-2.0

/// Marker segments from SOI to EOI (ITU-T T.81, Annex B); the entropy-coded data is not decoded and may be damaged.
struct JPEGStructure {
    let header: JPEGHeader
    /// Before the first scan.
    private(set) var hasHuffmanTables = false
    /// After EOI, where padding may follow; without EOI, the number of bytes.
    let end: Int
    /// An EOI marker follows the last scan.
    let isTerminated: Bool
    /// Ranges of bytes that belong to no segment, in order; empty unless the walk was lenient.
    let strays: [Range<Int>]

    /// `isLenient` is that of the ``JPEGWalk``; throws ``ImagingError/notJPEG(_:)`` or ``ImagingError/truncated``.
    init(_ bytes: RawSpan, isLenient: Bool = false) throws(ImagingError) {
        var walk = try JPEGWalk(bytes, isLenient: isLenient)
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
                (header, end, isTerminated, strays) = (frame, bytes.byteCount, false, walk.strays)
                return
            case .endOfImage:
                guard let frame = walk.frame, hasScan else { throw .notJPEG("it has no scan (SOS)") }
                (header, end, isTerminated, strays) = (frame, walk.position, true, walk.strays)
                return
            default: continue
            }
        }
    }
}

/// Quantisation tables read so far (DQT; ITU-T T.81, B.2.4.1).
struct JPEGQuantization {
    /// Four tables of 64 steps in zigzag order, concatenated; 0 if undefined.
    private(set) var steps = [UInt16](repeating: 0, count: 256)
    private var known: UInt8 = 0

    /// No tables are defined.
    mutating func startPicture() { known = 0 }

    /// 0 to 3.
    func has(_ table: Int) -> Bool { known >> table & 1 == 1 }

    /// First step of a table, that of the DC coefficient, before the first scan of a picture.
    static func firstStep(of table: Int, in bytes: RawSpan) throws(ImagingError) -> Int {
        var (walk, quantization) = (try JPEGWalk(bytes), JPEGQuantization())
        while true {
            let segment = try walk.next()
            if segment.marker == .quantizationTables { try quantization.read(segment) }
            if segment.marker == .startOfScan { return Int(quantization.steps[64 * table]) }
        }
    }

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
