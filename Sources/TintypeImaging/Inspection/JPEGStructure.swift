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
    ///
    /// Where there is no EOI, the number of bytes.
    let end: Int
    /// Whether there is an EOI marker.
    let isTerminated: Bool

    /// Walks a picture; reads nothing outside `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: the picture.
    ///   - allowsMissingEnd: whether the entropy-coded data may go on to the last byte, without an EOI marker.
    /// - Throws: ``ImagingError/notJPEG(_:)`` or ``ImagingError/truncated``.
    init(_ bytes: RawSpan, allowsMissingEnd: Bool = false) throws(ImagingError) {
        var walk = try JPEGMarkerWalk(bytes)
        var frame: (header: JPEGHeader, offset: Int, isArithmetic: Bool)?
        var hasTables = false
        var quantization = JPEGQuantization()
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
                isTerminated = true
                return
            case .huffmanTables:
                if scan == nil { hasTables = true }
            case .startOfScan:
                guard let frame else { throw .notJPEG("its scan (SOS) comes before the frame header (SOF)") }
                let header = try JPEGScanHeader(segment, in: bytes, frame: frame.header)
                guard header.components.allSatisfy({ quantization.has($0.component.quantization) }) else {
                    throw .notJPEG("its scan (SOS) comes before the quantisation tables (DQT) that it needs")
                }
                scan = scan ?? segment.offset
                guard try !Self.skip(&walk, in: bytes, allowsMissingEnd) else { continue }
                self.header = frame.header
                frameHeaderOffset = frame.offset
                isArithmetic = frame.isArithmetic
                hasHuffmanTables = hasTables
                firstScanOffset = scan ?? segment.offset
                end = bytes.byteCount
                isTerminated = false
                return
            case .quantizationTables: try quantization.read(segment, in: bytes)
            case let marker where marker.isFrameHeader:
                guard frame == nil else { throw .notJPEG("it has two frame headers (SOF)") }
                frame = (try JPEGHeader(segment, in: bytes), segment.offset, marker.isArithmetic)
            default: continue
            }
        }
    }

    /// Goes on behind the entropy-coded data; false where it goes on to the last byte, if that is allowed.
    private static func skip(
        _ walk: inout JPEGMarkerWalk,
        in bytes: RawSpan,
        _ allowsMissingEnd: Bool
    ) throws(ImagingError) -> Bool {
        do throws(ImagingError) {
            try walk.skipEntropyCodedData(in: bytes)
            return true
        } catch {
            guard allowsMissingEnd, error == .truncated else { throw error }
            return false
        }
    }
}
