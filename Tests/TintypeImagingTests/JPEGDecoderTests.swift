// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeImaging
internal import TintypeModel

struct JPEGDecoderTests {
    private let size = FrameSize(width: 64, height: 40)

    @Test func `decodes the luma of a picture`() throws {
        let picture = SamplePicture.smooth(size)
        let jpeg = try SampleJPEG.baseline(size, quality: 95)
        var decoder = JPEGDecoder()
        let (found, luma) = try decoder.decodeLuma(jpeg.rawSpan)
        #expect(found == size && luma.count == size.area)
        let reference = picture.reference(isGrey: true).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        #expect(psnr(luma, against: reference) > 38)
    }

    @Test func `decodes a damaged scan as far as it goes`() throws {
        var jpeg = try SampleJPEG.baseline(size)
        // Cutting two thirds of the scan: libjpeg warns of a premature end and fills the rest.
        let scan = SampleJPEG.scan(jpeg)
        jpeg.removeSubrange(scan.startIndex + scan.count / 3..<jpeg.count - 2)
        var decoder = JPEGDecoder()
        #expect(try decoder.warning(about: jpeg.rawSpan)?.isEmpty == false)
        #expect(try decoder.decodeRGB(jpeg.rawSpan).rgb.count == size.area * 3)
        let sound = try SampleJPEG.baseline(size)
        #expect(try decoder.warning(about: sound.rawSpan) == nil)
    }

    @Test func `rejects data that is not JPEG`() throws {
        var decoder = JPEGDecoder()
        for bytes in [[], [0xFF], Array("no picture at all".utf8), [UInt8](repeating: 0xFF, count: 300)] {
            #expect(throws: ImagingError.self) { try decoder.decodeRGB(bytes.rawSpan) }
        }
    }

    @Test func `rejects a header with an excessive size`() throws {
        var jpeg = try SampleJPEG.baseline(size)
        let frame = try #require(SampleJPEG.segments(jpeg).first { $0.marker == 0xC0 }).range
        jpeg.replaceSubrange(frame.lowerBound + 5..<frame.lowerBound + 9, with: [0xFF, 0x00, 0xFF, 0x00])
        var decoder = JPEGDecoder()
        let says = "65280x65280 is more than the \(JPEGDecoder.largestArea) pixels that we decode"
        #expect(throws: ImagingError.notJPEG(says)) { try decoder.decodeRGB(jpeg.rawSpan) }
    }
}
