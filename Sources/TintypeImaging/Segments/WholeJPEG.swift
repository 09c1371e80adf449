// SPDX-License-Identifier: Apache-2.0

/// A camera's JPEG as a complete file, SOI to EOI, copied only if necessary; the entropy-coded data is unchanged.
package enum WholeJPEG: Equatable, Sendable {
    /// The first `count` of the delivered bytes; the rest is padding.
    case delivered(count: Int)
    case mended([UInt8])

    /// Adds what webcams omit.
    ///
    /// Without Huffman tables (DHT) before the first scan, as in AVI1 Motion JPEG, the standard ones are inserted
    /// before the frame header: only webcam decoders assume them. Without EOI, one is inserted at `end`, the offset
    /// after the data. Throws ``ImagingError/notJPEG(_:)`` if a progressive picture has no tables.
    init(_ bytes: RawSpan, _ structure: JPEGStructure, end: Int? = nil) throws(ImagingError) {
        let header = structure.header
        let lacksTables = !structure.hasHuffmanTables && !header.isArithmetic
        guard lacksTables || !structure.isTerminated else {
            self = .delivered(count: structure.end)
            return
        }
        guard !lacksTables || !header.isProgressive else {
            throw .notJPEG("it is progressive and has no Huffman tables, for which there is no standard")
        }
        let end = end ?? structure.end
        let tables = lacksTables ? StandardHuffmanTables.segment : []
        let split = lacksTables ? header.offset : end
        var file: [UInt8] = []
        file.reserveCapacity(end + tables.count + 2 + ExifFacts.usualRoom)
        file.append(bytes.extracting(first: split))
        file += tables
        file.append(bytes.extracting(split..<end))
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
