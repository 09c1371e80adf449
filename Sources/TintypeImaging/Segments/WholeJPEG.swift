// SPDX-License-Identifier: Apache-2.0

/// A JPEG picture of a camera as a whole file, SOI to EOI, without a copy where none is needed; its entropy-coded data
/// stays as the camera made it.
package enum WholeJPEG: Equatable, Sendable {
    /// So many of the bytes that the camera delivered; what comes later is padding.
    case delivered(count: Int)
    /// A copy, with what the camera had left out put in.
    case mended([UInt8])

    /// The picture with these segments, with what webcams leave out.
    ///
    /// Where no Huffman tables (DHT) come before the first scan, as in the AVI1 kind of Motion JPEG, the standard ones are
    /// put in before the frame header: decoders other than those made for webcams need them. Where there is no EOI, one is
    /// put in at `end`, the first byte behind the data.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` where there is no standard for what is missing.
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

    /// Calls `body` with the file; `delivered` are the bytes as the camera delivered them.
    package func withBytes<R, E: Error>(
        of delivered: RawSpan,
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        switch self {
        case .delivered(let count): try body(delivered.extracting(first: count))
        case .mended(let jpeg): try body(jpeg.rawSpan)
        }
    }

    /// The file by itself, with room for EXIF data; copied where it was not yet.
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
