// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypePattern

extension Still {
    /// What the test pattern drew into the picture: the frame's number and the time of its exposure.
    func code() throws -> PatternCode {
        var decoder = JPEGDecoder()
        let (size, luma) = try unsafe decoder.decodeLuma(picture.span.bytes)
        #expect(size == FrameSize(width: record.width, height: record.height))
        return try #require(PatternCode(luma: luma, size: size), "the picture carries no code")
    }
}
