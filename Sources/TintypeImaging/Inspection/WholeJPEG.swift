// SPDX-License-Identifier: Apache-2.0

/// A JPEG picture of a camera as a whole file, SOI to EOI, without a copy where none is needed.
package enum WholeJPEG: Equatable, Sendable {
    /// So many of the bytes that the camera delivered; what comes later is padding.
    case delivered(count: Int)
    /// A copy, with what the camera had left out put in.
    case mended([UInt8])

    /// Calls `body` with the file; `delivered` are the bytes as the camera delivered them.
    package func withBytes<R, E: Error>(
        of delivered: RawSpan,
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        switch self {
        case .delivered(let count): return try body(delivered.extracting(first: count))
        case .mended(let jpeg):
            let bytes = unsafe jpeg.span.bytes
            return try body(bytes)
        }
    }

    /// The file by itself, with room for EXIF data; copied where it was not yet.
    package func copied(from delivered: RawSpan) -> [UInt8] {
        switch self {
        case .delivered(let count):
            return unsafe delivered.extracting(first: count).withUnsafeBytes { bytes in
                var file: [UInt8] = []
                file.reserveCapacity(count + ExifFacts.usualRoom)
                unsafe file.append(contentsOf: bytes)
                return file
            }
        case .mended(let jpeg): return jpeg
        }
    }
}
