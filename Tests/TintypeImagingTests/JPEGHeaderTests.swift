// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeImaging
internal import TintypeModel

struct JPEGHeaderTests {
    private func isWhole(_ bytes: [UInt8]) -> Bool { JPEGHeader.isWhole(bytes.rawSpan) }

    @Test(arguments: [(1, 1), (641, 7), (33, 500)])
    func `reads size and kind from the headers alone`(width: Int, height: Int) throws {
        let size = FrameSize(width: width, height: height)
        let baseline = try SampleJPEG.baseline(size)
        let header = try JPEGHeader.read(baseline.rawSpan)
        #expect(header.size == size && header.componentCount == 3 && !header.isProgressive)
        let frame = try #require(SampleJPEG.segments(baseline).first { $0.marker == 0xC0 }).range
        let start = Array(baseline[..<frame.upperBound])
        #expect(try JPEGHeader.read(start.rawSpan) == header)
        let less = Array(start.dropLast())
        #expect(throws: ImagingError.truncated) { try JPEGHeader.read(less.rawSpan) }
        let progressive = SampleJPEG.progressive(size)
        #expect(try JPEGHeader.read(progressive.rawSpan).isProgressive)
    }

    @Test func `a grey picture has one component`() throws {
        let layout = PictureLayout(.grey, FrameSize(width: 9, height: 9))
        let jpeg = try SampleJPEG.encoded([UInt8](repeating: 50, count: 81), layout, quality: 70)
        #expect(try JPEGHeader.read(jpeg.rawSpan).componentCount == 1)
    }

    @Test func `a file is whole only with its EOI marker`() throws {
        let jpeg = try SampleJPEG.baseline(FrameSize(width: 50, height: 40))
        let cut = Array(jpeg.dropLast())
        let padded = jpeg + [0, 0]
        let zeros = [UInt8](repeating: 0, count: 4096)
        #expect(isWhole(jpeg) && isWhole(padded))
        #expect(!isWhole(cut) && !isWhole(zeros))
    }
}
