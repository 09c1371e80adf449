// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeDevice
internal import TintypeImaging

/// Number and time drawn in a picture of the test pattern; records an issue if there are none.
func drawnCode(in jpeg: [UInt8]) throws -> PatternCode {
    var decoder = JPEGDecoder()
    let (size, luma) = try unsafe decoder.decodeLuma(jpeg.span.bytes)
    return try #require(PatternCode(luma: luma, size: size), "no code can be read from the picture")
}
