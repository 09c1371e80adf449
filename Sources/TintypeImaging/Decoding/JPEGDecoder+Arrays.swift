// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension JPEGDecoder {
    /// The luma of a picture that is at hand as an array, as ``decodeLuma(_:strict:)`` gives it; damage is an error.
    package mutating func decodeLuma(of jpeg: [UInt8]) throws(ImagingError) -> (size: FrameSize, luma: [UInt8]) {
        try unsafe decodeLuma(jpeg.span.bytes)
    }
}

extension JPEGHeader {
    /// Reads the frame header of a picture that is at hand as an array, as ``read(_:)`` does.
    package static func read(_ jpeg: [UInt8]) throws(ImagingError) -> JPEGHeader { try unsafe read(jpeg.span.bytes) }
}
