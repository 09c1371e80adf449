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
