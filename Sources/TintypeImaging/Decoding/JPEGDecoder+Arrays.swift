// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension JPEGDecoder {
    /// The luma of a picture that is at hand as an array, as ``decodeLuma(_:strict:)`` gives it; damage is an error.
    package mutating func decodeLuma(of jpeg: [UInt8]) throws(ImagingError) -> (size: FrameSize, luma: [UInt8]) {
        try unsafe decodeLuma(jpeg.span.bytes)
    }
}
