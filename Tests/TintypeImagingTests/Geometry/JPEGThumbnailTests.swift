// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct JPEGThumbnailTests {
    @Test func `a thumbnail is no wider than asked for, and no larger than the picture`() throws {
        let jpeg = SampleJPEG.sampled(.quarter, FrameSize(width: 640, height: 480))
        for (width, size) in [(160, "160x120"), (9999, "640x480")] {
            let thumbnail = try JPEGThumbnail.make(of: jpeg.rawSpan, width: width)
            #expect(try JPEGHeader.read(thumbnail.rawSpan).size.description == size)
        }
    }
}
