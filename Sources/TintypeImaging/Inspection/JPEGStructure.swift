// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// The marker segments of one JPEG picture, found by a bounded walk from SOI to EOI.
///
/// Nothing is decoded: a picture that passes has sound segments and an end, and its entropy-coded data may still be
/// damaged. Source: ITU-T T.81, Annex B.
struct JPEGStructure: Equatable {
    /// What the frame header (SOF) says.
    let header: JPEGHeader
    /// Where the frame header's marker begins, fill bytes aside.
    let frameHeaderOffset: Int
    /// Whether Huffman tables (DHT) come before the first scan.
    let hasHuffmanTables: Bool
    /// Whether the coding process is arithmetic and needs no Huffman tables.
    let isArithmetic: Bool
    /// Where the first scan's header (SOS) begins.
    let firstScanOffset: Int
    /// The first byte after EOI; what comes later is padding.
    let end: Int

    /// Walks a picture; reads nothing outside `bytes`.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` or ``ImagingError/truncated``.
    init(_ bytes: RawSpan) throws(ImagingError) {
        var walk = try JPEGMarkerWalk(bytes)
        var frame: (header: JPEGHeader, offset: Int, isArithmetic: Bool)?
        var hasTables = false
        var scan: Int?
        while true {
            let segment = try walk.next(in: bytes)
            switch segment.marker {
            case .endOfImage:
                guard let frame else { throw .notJPEG("it has no frame header (SOF)") }
                guard let scan else { throw .notJPEG("it has no scan (SOS)") }
                header = frame.header
                frameHeaderOffset = frame.offset
                isArithmetic = frame.isArithmetic
                hasHuffmanTables = hasTables
                firstScanOffset = scan
                end = walk.position
                return
            case .huffmanTables:
                if scan == nil { hasTables = true }
            case .startOfScan:
                guard let frame else { throw .notJPEG("its scan (SOS) comes before the frame header (SOF)") }
                try Self.checkScan(segment, in: bytes, components: frame.header.componentCount)
                scan = scan ?? segment.offset
                try walk.skipEntropyCodedData(in: bytes)
            case let marker where marker.isFrameHeader:
                guard frame == nil else { throw .notJPEG("it has two frame headers (SOF)") }
                frame = (try JPEGHeader(segment, in: bytes), segment.offset, marker.isArithmetic)
            default: continue
            }
        }
    }

    private static func checkScan(
        _ segment: JPEGSegment,
        in bytes: RawSpan,
        components: Int
    ) throws(ImagingError) {
        let body = segment.body
        guard let count = body.first.map({ Int(bytes.byte(at: $0)) }),
            (1...components).contains(count), body.count == 4 + 2 * count
        else { throw .notJPEG("its scan header (SOS) is \(body.count) bytes long and does not fit its components") }
    }
}
