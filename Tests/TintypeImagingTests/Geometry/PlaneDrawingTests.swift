// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

/// Geometry of raw pictures in their planes.
struct PlaneDrawingTests {
    private func draw(_ picture: PlanarBytes, _ rendering: ImageOptions) throws -> (FrameSize, [Grid]) {
        var encoder = JPEGEncoder()
        var drawn = PlanarPicture()
        let plan = try GeometryPlan(rendering, of: picture.layout.size)
        let bytes = picture.bytes
        try encoder.draw(bytes.rawSpan, layout: picture.layout, plan: plan, into: &drawn)
        return (drawn.size, drawn.grids)
    }

    @Test(arguments: WayRound.all, [FourCC.grey, .yu12, .yuv422p])
    func `every orientation moves samples without changing them`(_ way: WayRound, _ format: FourCC) throws {
        for (width, height) in [(64, 48), (36, 22), (8, 8), (2, 2), (130, 18)] {
            let picture = PlanarBytes(format, width, height, seed: 7)
            let (size, planes) = try draw(picture, way.rendering())
            let expected = picture.planes.map { $0.flipped(way.flip).turned(way.turn) }
            #expect(planes == expected, "\(width)x\(height)")
            #expect(size == FrameSize(width: expected[0].width, height: expected[0].height))
        }
    }

    @Test(arguments: WayRound.all, [FourCC.grey, .yu12, .yuv422p])
    func `a crop at even offsets copies the samples`(_ way: WayRound, _ format: FourCC) throws {
        let picture = PlanarBytes(format, 90, 70, seed: 8)
        let crop = CropRectangle(size: FrameSize(width: 36, height: 28), left: 14, top: 6)
        let (_, planes) = try draw(picture, way.rendering(crop: crop))
        let rows = format == .yuv422p ? 1 : 2
        let expected = picture.planes.enumerated().map { index, plane in
            let cut = index == 0 ? plane.cropped(14, 6, 36, 28) : plane.cropped(7, 6 / rows, 18, 28 / rows)
            return cut.flipped(way.flip).turned(way.turn)
        }
        #expect(planes == expected)
    }

    @Test(arguments: WayRound.all)
    func `luma of odd sizes is exact and padded by its last samples`(_ way: WayRound) throws {
        let picture = PlanarBytes(.yu12, 61, 47, seed: 9)
        let crop = CropRectangle(size: FrameSize(width: 33, height: 21), left: 5, top: 9)
        for (rendering, part) in [
            (way.rendering(), picture.planes[0]),
            (way.rendering(crop: crop), picture.planes[0].cropped(5, 9, 33, 21)),
        ] {
            let (size, planes) = try draw(picture, rendering)
            let expected = part.flipped(way.flip).turned(way.turn)
            #expect(size == FrameSize(width: expected.width, height: expected.height))
            // Padding repeats the last column and row.
            #expect(planes[0].cropped(0, 0, expected.width, expected.height) == expected)
            #expect(planes[0].width == expected.width + 1 && planes[0].height == expected.height + 1)
            for x in 0..<planes[0].width {
                #expect(planes[0][x, expected.height] == planes[0][x, expected.height - 1])
            }
            for y in 0..<planes[0].height {
                #expect(planes[0][expected.width, y] == planes[0][expected.width - 1, y])
            }
        }
    }

    @Test func `chroma of a crop at an odd offset is the mean of its neighbours`() throws {
        let picture = PlanarBytes(.yu12, 64, 48, seed: 10)
        let crop = CropRectangle(size: FrameSize(width: 20, height: 12), left: 7, top: 4)
        let (_, planes) = try draw(picture, ImageOptions(crop: crop))
        for plane in 1...2 {
            let source = picture.planes[plane]
            for y in 0..<6 {
                for x in 0..<10 {
                    let mean = (Double(source[3 + x, 2 + y]) + Double(source[4 + x, 2 + y])) / 2
                    #expect(abs(Double(planes[plane][x, y]) - mean) <= 0.5)
                }
            }
        }
    }

    /// Packed formats, and formats with a colour correction.
    @Test(arguments: [
        FourCC.yuyv, .uyvy, .yvyu, .vyuy, .nv12, .nv21, .nv16, .nv61, .yu12, .yv12, .yuv422p, .grey, .y10, .y12, .rgb24,
        .bgr24, .xrgb32, .xbgr32, .rgbx32, .bgrx32, .rgb32, .bgr32,
    ])
    func `crops, orients and scales every format`(_ format: FourCC) throws {
        let source = FrameSize(width: 318, height: 202)
        let limited = ColorEncoding(matrix: .bt709, range: .limited)
        let crop = CropRectangle(size: FrameSize(width: 201, height: 151), left: 33, top: 17)
        var encoder = JPEGEncoder()
        var decoder = JPEGDecoder()
        var drawn = PlanarPicture()
        for color in [.jfif, limited] {
            let layout = PictureLayout(format, source, padding: 32, color)
            let bytes = SamplePicture.smooth(source).render(layout)
            for (way, box) in WayRound.all.flatMap({ way in [nil, 150, 71].map { (way, $0) } }) {
                let plan = try GeometryPlan(way.rendering(width: box, crop: crop), of: source)
                try encoder.draw(bytes.rawSpan, layout: layout, plan: plan, into: &drawn)
                let jpeg = try encoder.encode(drawn, quality: 97)
                let (size, pixels) = try decoder.decodeRGB(jpeg.rawSpan)
                #expect(size == plan.size)
                let reference = SamplePicture.smooth(source).rendered(plan, way).reference(isGrey: format.isGrey)
                let ratio = psnr(pixels, against: reference)
                #expect(ratio > 36, "\(way), \(plan.size): \(ratio)")
            }
        }
    }

    @Test func `refuses a short buffer`() throws {
        let picture = PlanarBytes(.yu12, 64, 48, seed: 3)
        var encoder = JPEGEncoder()
        var drawn = PlanarPicture()
        let memory = try #require(GuardedBytes(Array(picture.bytes.dropLast())))
        let plan = try GeometryPlan(ImageOptions(turn: .half), of: picture.layout.size)
        #expect(throws: ImagingError.short(have: 64 * 48 * 3 / 2 - 1, need: 64 * 48 * 3 / 2)) {
            let source = memory.whole
            try encoder.draw(source.bytes, layout: picture.layout, plan: plan, into: &drawn)
        }
    }

    @Test func `refuses a buffer of another size than planned`() throws {
        let picture = PlanarBytes(.yu12, 64, 48, seed: 3)
        var encoder = JPEGEncoder()
        var drawn = PlanarPicture()
        let other = FrameSize(width: 32, height: 48)
        let wrong = try GeometryPlan(ImageOptions(turn: .half), of: other)
        let bytes = picture.bytes
        #expect(throws: ImagingError.sizeMismatch(picture.layout.size, expected: other)) {
            try encoder.draw(bytes.rawSpan, layout: picture.layout, plan: wrong, into: &drawn)
        }
    }

    @Test(arguments: [FourCC.yuyv, .nv12, .yu12, .grey, .rgb24, .yuv422p])
    func `drawing reads only the buffer`(_ format: FourCC) throws {
        let source = FrameSize(width: 61, height: 47)
        let layout = PictureLayout(format, source)
        let memory = try #require(GuardedBytes([UInt8](repeating: 9, count: layout.byteCount ?? 0)))
        var encoder = JPEGEncoder()
        var drawn = PlanarPicture()
        let crop = CropRectangle(size: FrameSize(width: 30, height: 16), left: 31, top: 31)
        for way in WayRound.all {
            for rendering in [way.rendering(), way.rendering(width: 20), way.rendering(crop: crop)] {
                let plan = try GeometryPlan(rendering, of: source)
                let bytes = memory.whole
                try encoder.draw(bytes.bytes, layout: layout, plan: plan, into: &drawn)
                #expect(drawn.size == plan.size)
            }
        }
    }
}
