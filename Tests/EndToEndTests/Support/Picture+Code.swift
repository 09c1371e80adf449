// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// The number and the time that are drawn in a picture of the test pattern; that there are none is an issue.
func drawnCode(in jpeg: [UInt8]) throws -> PatternCode {
    var decoder = JPEGDecoder()
    let (size, luma) = try unsafe decoder.decodeLuma(jpeg.span.bytes)
    return try #require(PatternCode(luma: luma, size: size), "no code can be read from the picture")
}
