// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

/// Geometry of JPEG pictures by decoding into planes.
struct JPEGDrawingTests {
    private func draw(_ jpeg: [UInt8], _ rendering: ImageOptions) throws -> (size: FrameSize, rgb: [UInt8]) {
        var encoder = JPEGEncoder()
        var decoder = JPEGDecoder()
        let result = try encoder.encode(PlanarPicture(drawing: jpeg, rendering), quality: 97)
        return try decoder.decodeRGB(result.rawSpan)
    }

    @Test(arguments: ChromaSampling.allCases)
    func `crops, orients and scales every sampling`(_ kind: ChromaSampling) throws {
        let source = FrameSize(width: 317, height: 203)
        let jpeg = SampleJPEG.sampled(kind, source, quality: 97)
        let crops = [nil, CropRectangle("203x151+33+17")]
        for way in WayRound.all {
            for (crop, box) in crops.flatMap({ crop in [nil, 150, 71, 39, 16].map { (crop, $0) } }) {
                let rendering = way.rendering(width: box, crop: crop, isLossless: false)
                let plan = try GeometryPlan(rendering, of: source)
                let (size, pixels) = try draw(jpeg, rendering)
                #expect(size == plan.size)
                let reference = SamplePicture.smooth(source).rendered(plan, way).reference(isGrey: kind == .grey)
                let ratio = psnr(pixels, against: reference)
                // Each pixel of a smaller still averages more waves of the picture; with 4:1:1, four pixels in a row
                // share one colour.
                let least = (box ?? 317) < 30 ? 18.0 : (box ?? 317) < 60 ? 27 : (box ?? 317) < 100 ? 32 : 35
                let allowance = kind == .fourth ? 5.0 : 0
                #expect(ratio > least - allowance, "\(way) \(plan.size) of \(plan.region): \(ratio)")
            }
        }
    }

    @Test(arguments: [
        (ChromaSampling.grey, ChromaSampling.grey, ChromaSampling.grey), (.full, .full, .full),
        (.half, .half, .halfRows),
        (.quarter, .quarter, .quarter), (.halfRows, .halfRows, .half), (.fourth, .quarter, .quarter),
    ])
    func `draws each sampling with its documented chroma sampling`(
        _ source: ChromaSampling,
        _ drawn: ChromaSampling,
        _ turned: ChromaSampling
    ) throws {
        let size = FrameSize(width: 96, height: 64)
        let jpeg = SampleJPEG.sampled(source, size)
        var transformer = JPEGTransformer()
        var picture = PlanarPicture()
        for (rendering, sampling) in [
            (ImageOptions(), drawn), (ImageOptions(width: 48), drawn), (ImageOptions(width: 50), drawn),
            (ImageOptions(turn: .half), drawn), (ImageOptions(turn: .quarter), turned),
        ] {
            try transformer.draw(jpeg.rawSpan, plan: GeometryPlan(rendering, of: size), into: &picture)
            let found = picture.sampling
            #expect(found == sampling)
        }
    }

    @Test func `a half-size still is the mean of four pixels each`() throws {
        // Same definition as the box filter of Pillow.
        let source = FrameSize(width: 320, height: 240)
        let jpeg = SampleJPEG.sampled(.full, source, quality: 100)
        let pixels = try SampleJPEG.pixels(jpeg)
        let mean = (0..<120).flatMap { y in
            (0..<160).flatMap { x in
                (0..<3).map { channel in
                    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map { dx, dy in
                        Double(pixels[((2 * y + dy) * 320 + 2 * x + dx) * 3 + channel])
                    }
                    return corners.reduce(0, +) / 4
                }
            }
        }
        let (_, drawn) = try draw(jpeg, ImageOptions(width: 160))
        #expect(psnr(drawn, against: mean) > 45)
        #expect(meanDifference(drawn, from: mean).allSatisfy { abs($0) < 0.5 })
    }

    @Test func `refuses an unusual chroma sampling`() throws {
        let jpeg = SampleJPEG.sampled(.full, FrameSize(width: 96, height: 64))
        var rare = jpeg
        let frame = try #require(SampleJPEG.segments(jpeg).first { $0.marker == 0xC0 }).range.lowerBound
        // Three luma columns for each chroma column.
        rare[frame + 11] = 0x31
        let error = #expect(throws: ImagingError.self) { _ = try draw(rare, ImageOptions(width: 32)) }
        #expect(error?.refusal?.code == .configurationUnsupported)
        #expect(error?.refusal?.detail.contains("sampled in a rare way") == true)
    }

    /// Components named R, G and B, without a JFIF segment.
    @Test func `refuses a picture coded as RGB`() throws {
        let jpeg = SampleJPEG.sampled(.full, FrameSize(width: 96, height: 64))
        var rgb = jpeg
        let frame = try #require(SampleJPEG.segments(jpeg).first { $0.marker == 0xC0 }).range.lowerBound
        let scan = try #require(SampleJPEG.segments(jpeg).last { $0.marker == 0xDA }).range.lowerBound
        for (index, name) in Array("RGB".utf8).enumerated() {
            rgb[frame + 10 + 3 * index] = name
            rgb[scan + 5 + 2 * index] = name
        }
        let jfif = try #require(SampleJPEG.segments(jpeg).first { $0.marker == 0xE0 }).range
        rgb.removeSubrange(jfif)
        let other = #expect(throws: ImagingError.self) { _ = try draw(rgb, ImageOptions(width: 32)) }
        #expect(other?.refusal?.detail.contains("not coded as Y'CbCr") == true)
    }
}

struct JPEGThumbnailTests {
    @Test func `a thumbnail fits its width without upscaling`() throws {
        let jpeg = SampleJPEG.sampled(.quarter, FrameSize(width: 640, height: 480))
        for (width, size) in [(160, "160x120"), (9999, "640x480")] {
            let thumbnail = try JPEGThumbnail.make(of: jpeg.rawSpan, width: width)
            #expect(try JPEGHeader.read(thumbnail.rawSpan).size.description == size)
        }
    }
}
