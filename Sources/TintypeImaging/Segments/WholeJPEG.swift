// SPDX-License-Identifier: Apache-2.0

/// A camera's JPEG as a complete file, SOI to EOI, copied only if necessary; no code of it is changed.
package enum WholeJPEG: Equatable, Sendable {
    /// The first `count` of the delivered bytes; the rest is padding.
    case delivered(count: Int)
    case mended([UInt8])

    /// Adds what webcams omit, and leaves out the `strays` of `structure` and the `surplus` bytes of its data.
    ///
    /// Without Huffman tables (DHT) before the first scan, as in AVI1 Motion JPEG, the standard ones are inserted
    /// before the frame header: only webcam decoders assume them. Without EOI, one is inserted at `end`, the offset
    /// after the data. Throws ``ImagingError/notJPEG(_:)`` if a progressive picture has no tables.
    init(
        _ bytes: RawSpan,
        _ structure: JPEGStructure,
        end: Int? = nil,
        without surplus: [Range<Int>] = []
    ) throws(ImagingError) {
        let header = structure.header
        let lacksTables = !structure.hasHuffmanTables && !header.isArithmetic
        guard lacksTables || !structure.isTerminated || !structure.strays.isEmpty || !surplus.isEmpty else {
            self = .delivered(count: structure.end)
            return
        }
        guard !lacksTables || !header.isProgressive else {
            throw .notJPEG("it is progressive and has no Huffman tables, for which there is no standard")
        }
        let end = end ?? structure.end
        var edits = (structure.strays + surplus).map { (range: $0, bytes: [UInt8]()) }
        if lacksTables {
            edits.append((range: header.offset..<header.offset, bytes: StandardHuffmanTables.segment))
            edits.sort { $0.range.lowerBound < $1.range.lowerBound }
        }
        var file: [UInt8] = []
        file.reserveCapacity(end + StandardHuffmanTables.segment.count + 2 + ExifFacts.usualRoom)
        var place = 0
        for edit in edits {
            file.append(bytes.extracting(place..<edit.range.lowerBound))
            file += edit.bytes
            place = edit.range.upperBound
        }
        file.append(bytes.extracting(place..<end))
        if !structure.isTerminated { file += [0xFF, JPEGMarker.endOfImage.rawValue] }
        self = .mended(file)
    }

    /// `delivered` must be the bytes the camera delivered.
    package func withBytes<R, E: Error>(of delivered: RawSpan, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        switch self {
        case .delivered(let count): try body(delivered.extracting(first: count))
        case .mended(let jpeg): try body(jpeg.rawSpan)
        }
    }

    /// With spare capacity for EXIF data.
    package func copied(from delivered: RawSpan) -> [UInt8] {
        switch self {
        case .delivered(let count):
            var file: [UInt8] = []
            file.reserveCapacity(count + ExifFacts.usualRoom)
            file.append(delivered.extracting(first: count))
            return file
        case .mended(let jpeg): return jpeg
        }
    }
}

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
