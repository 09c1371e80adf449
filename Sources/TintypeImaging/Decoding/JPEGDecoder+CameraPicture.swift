// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension JPEGDecoder {
    /// Calls `body` with the pixels of a camera's own picture, as R, G and B, rows without padding.
    ///
    /// The picture is mended first as ``JPEGPassthrough`` does it, and has to be whole.
    ///
    /// - Parameters:
    ///   - bytes: what the driver says was used of the buffer (`bytesused`).
    ///   - expected: the size that the driver granted.
    ///   - body: what is done with the pixels; they cannot outlive it.
    /// - Returns: what `body` returns.
    /// - Throws: as ``JPEGPassthrough/picture(from:expected:)`` and ``decodeRGB(_:strict:)``, and what `body` throws.
    package mutating func withPixels<R>(
        ofCameraPicture bytes: RawSpan,
        expected: FrameSize,
        _ body: (RawSpan) throws(ImagingError) -> R
    ) throws(ImagingError) -> R {
        let jpeg = try JPEGPassthrough.picture(from: bytes, expected: expected)
        let pixels = try unsafe decodeRGB(jpeg.span.bytes).rgb
        return try unsafe body(pixels.span.bytes)
    }
}
