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
        let excess = structure.strays + surplus
        guard lacksTables || !structure.isTerminated || !excess.isEmpty else {
            self = .delivered(count: structure.end)
            return
        }
        guard !lacksTables || !header.isProgressive else {
            throw .notJPEG("it is progressive and has no Huffman tables, for which there is no standard")
        }
        let end = end ?? structure.end
        var edits = excess.map { (range: $0, bytes: [UInt8]()) }
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
