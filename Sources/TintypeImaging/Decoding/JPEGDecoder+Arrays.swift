// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension JPEGDecoder {
    /// The luma of a picture that is at hand as an array, as ``decodeLuma(_:strict:)`` gives it; damage is an error.
    package mutating func decodeLuma(of jpeg: [UInt8]) throws(ImagingError) -> (size: FrameSize, luma: [UInt8]) {
        try unsafe decodeLuma(jpeg.span.bytes)
    }

    /// Calls `body` with the pixels of a picture, as R, G and B, rows without padding.
    ///
    /// What libjpeg can go on after is no error.
    ///
    /// - Parameters:
    ///   - jpeg: the picture.
    ///   - expected: the size that it has to have.
    ///   - body: what is done with the pixels; they cannot outlive it.
    /// - Returns: what `body` returns.
    /// - Throws: as ``decodeRGB(_:strict:)``, ``ImagingError/sizeMismatch(_:expected:)``, and what `body` throws.
    package mutating func withPixels<R>(
        of jpeg: RawSpan,
        expected: FrameSize,
        _ body: (RawSpan) throws(ImagingError) -> R
    ) throws(ImagingError) -> R {
        let (size, pixels) = try decodeRGB(jpeg, strict: false)
        guard size == expected else { throw .sizeMismatch(size, expected: expected) }
        return try unsafe body(pixels.span.bytes)
    }
}

extension JPEGHeader {
    /// Reads the frame header of a picture that is at hand as an array, as ``read(_:)`` does.
    package static func read(_ jpeg: [UInt8]) throws(ImagingError) -> JPEGHeader { try unsafe read(jpeg.span.bytes) }
}
