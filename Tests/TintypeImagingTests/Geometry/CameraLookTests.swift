// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct CameraLookTests {
    private static let size = FrameSize(width: 96, height: 64)
    private static let mask = "24x32+40+20px"

    private func look(_ mask: String..., way: WayRound = WayRound(flip: nil, turn: .none)) throws -> CameraLook {
        var look = CameraLook()
        (look.flip, look.turn) = (way.flip, way.turn)
        look.size = Self.size
        look.mask = try mask.map { try #require(MaskShape($0, of: look.orientation.size(of: Self.size))) }
        return look
    }

    private func cells(_ text: String, of size: FrameSize = FrameSize(width: 10, height: 10)) throws -> [Int] {
        let shape = try #require(MaskShape(text, of: size))
        return (0..<size.area).filter { place in
            let (column, row) = (place % size.width, place / size.width)
            let cell = CropRectangle(size: FrameSize(width: 1, height: 1), left: column, top: row)
            return shape.touches(cell, of: size)
        }
    }

    @Test func `a shape covers every cell that it touches`() throws {
        #expect(try cells("20x10+0+0") == [0, 1])
        #expect(try cells("2x1+0+0px") == [0, 1])
        #expect(try cells("10.5x10+0+0") == [0, 1])
        #expect(try cells("10x10+5+5") == [0, 1, 10, 11])
        #expect(try cells("0,0 30,0 0,30") == [0, 1, 2, 10, 11, 20])
        // A shape inside a cell, and one that encloses cells.
        #expect(try cells("52,52 58,52 55,58") == [55])
        #expect(try cells("0,0 100,0 100,100 0,100").count == 100)
        // Not convex: the letter U.
        #expect(try cells("0,0 10,0 10,20 20,20 20,0 30,0 30,30 0,30") == [0, 2, 10, 12, 20, 21, 22])
    }

    @Test(arguments: [
        "", "100x20", "0x10+0+0", "10x0+0+0", "60x10+50+0", "10x60+0+50", "10%x10%+0+0", "-1x2+0+0", "0,0 10,10",
        "0,0 10,10 20,20", "0,0 10,0 101,0", "0,0 10 5,5", "1e9x1+0+0", "10x10+0+0 px", "97x10+0+0px", "1,2,3 4,5 6,7",
    ])
    func `rejects a shape that is empty, unclear or over the edge`(_ text: String) {
        #expect(MaskShape(text, of: Self.size) == nil)
    }

    @Test func `rejects pixels without a size`() { #expect(MaskShape("10x10+0+0px") == nil) }

    @Test(arguments: WayRound.all)
    func `a request applies to the picture as the look shows it`(_ way: WayRound) throws {
        let source = FrameSize(width: 7, height: 5)
        for next in WayRound.all {
            var look = CameraLook()
            (look.flip, look.turn) = (way.flip, way.turn)
            look.size = source
            look.crop = CropRectangle(size: FrameSize(width: 4, height: 3), left: 1, top: 1)
            let crop = CropRectangle(size: FrameSize(width: 2, height: 3), left: 1, top: 0)
            let plan = try GeometryPlan(next.rendering(crop: crop), look, of: source)
            // The same in two steps, pixel by pixel.
            var steps = try Pixels(source).cut(GeometryPlan(way.rendering(), of: source))
            let parts = try [look.crop, crop].map { try #require($0) }
            for part in parts { steps = try steps.cut(GeometryPlan(ImageOptions(crop: part), of: steps.size)) }
            steps = try steps.cut(GeometryPlan(next.rendering(), of: steps.size))
            #expect(Pixels(source).cut(plan) == steps, "\(way.testDescription), then \(next.testDescription)")
        }
    }

    @Test func `other sizes of the same proportions are cropped likewise`() throws {
        var look = try look()
        look.crop = CropRectangle("48x32+16+8")
        let plan = try GeometryPlan(ImageOptions(), look, of: FrameSize(width: 192, height: 128))
        #expect(plan.region.description == "96x64+32+16")
    }

    @Test(arguments: ["1x1+95+63", "3x3+93+61", "1x1+0+0"], WayRound.all)
    func `the part of a smaller picture lies inside it`(_ crop: String, _ way: WayRound) throws {
        var look = try look(way: way)
        guard !way.turn.swapsSides else { return }
        look.crop = CropRectangle(crop)
        let source = FrameSize(width: 24, height: 16)
        let plan = try GeometryPlan(ImageOptions(), look, of: source)
        #expect(plan.region.lies(within: source))
    }

    @Test func `refuses pictures of other proportions`() throws {
        let look = try look(Self.mask)
        let error = #expect(throws: ImagingError.self) {
            _ = try GeometryPlan(ImageOptions(), look, of: FrameSize(width: 64, height: 64))
        }
        #expect(error?.refusal?.code == .configurationUnsupported)
        #expect(error?.refusal?.detail.contains("64x64") == true)
    }

    /// True for pixels of the camera's picture in a cell that the mask touches.
    private func isMasked(_ look: CameraLook, _ unit: FrameSize, _ x: Int, _ y: Int) -> Bool {
        let (left, top) = (x / unit.width * unit.width, y / unit.height * unit.height)
        let side = FrameSize(
            width: min(unit.width, Self.size.width - left),
            height: min(unit.height, Self.size.height - top)
        )
        return look.masks(CropRectangle(size: side, left: left, top: top), of: Self.size)
    }

    @Test(arguments: ChromaSampling.allCases, WayRound.all)
    func `a mask blacks its blocks and keeps all others losslessly`(_ sampling: ChromaSampling, _ way: WayRound) throws
    {
        let look = try look(Self.mask, "0,0 20,0 0,30", way: way)
        let jpeg = SampleJPEG.sampled(sampling, Self.size)
        let unit = try JPEGHeader.read(jpeg.rawSpan).unit
        for crop in [nil, CropRectangle("64x32+32+16")] {
            var shown = look
            if crop != nil { shown.crop = way.turn.swapsSides ? CropRectangle("48x32+16+32") : crop }
            let plan = try GeometryPlan(ImageOptions(), shown, of: Self.size)
            var transformer = JPEGTransformer()
            guard let plain = try transformer.transform(jpeg.rawSpan, plan: plan) else {
                #expect(sampling == .fourth && way.turn.swapsSides)
                continue
            }
            let masked = try #require(try transformer.transform(jpeg.rawSpan, plan: plan, masking: shown))
            let (before, after) = (try SampleJPEG.luma(plain), try SampleJPEG.luma(masked))
            let places = Pixels(Self.size).cut(plan).values
            #expect(places.count == after.count)
            var (blacked, differing) = (0, 0)
            for (index, place) in places.enumerated() {
                let isBlack = isMasked(look, unit, place % Self.size.width, place / Self.size.width)
                blacked += isBlack ? 1 : 0
                if after[index] != (isBlack ? 0 : before[index]) { differing += 1 }
            }
            #expect(differing == 0)
            #expect(blacked >= 32 * 16 && blacked < places.count)
        }
    }

    @Test(arguments: [ChromaSampling.quarter, .half, .grey])
    func `pictures that differ only under a mask are the same bytes`(_ sampling: ChromaSampling) throws {
        let look = try look(Self.mask)
        let jpeg = SampleJPEG.sampled(sampling, Self.size)
        let unit = try JPEGHeader.read(jpeg.rawSpan).unit
        // The mask of another look blacks some of the same blocks: a scene that differs there alone.
        let other = try #require(MaskShape("\(unit)+\(48 / unit.width * unit.width)+32px", of: Self.size))
        var inner = look
        inner.mask = [other]
        let plan = try GeometryPlan(ImageOptions(), of: Self.size)
        var transformer = JPEGTransformer()
        let changed = try #require(try transformer.transform(jpeg.rawSpan, plan: plan, masking: inner))
        #expect(try SampleJPEG.luma(changed) != SampleJPEG.luma(jpeg))
        let made = try [jpeg, changed].map { try transformer.transform($0.rawSpan, plan: plan, masking: look) }
        #expect(made[0] == made[1])
    }

    @Test func `a picture with restart markers is masked like one without`() throws {
        let look = try look(Self.mask)
        let jpeg = SampleJPEG.sampled(.quarter, Self.size)
        let restarting = try Programs.jpegtran(jpeg, ["-restart", "1B"])
        #expect(restarting.count > jpeg.count)
        let plan = try GeometryPlan(ImageOptions(), of: Self.size)
        var transformer = JPEGTransformer()
        let made = try [jpeg, restarting].map { try transformer.transform($0.rawSpan, plan: plan, masking: look) }
        #expect(try SampleJPEG.luma(#require(made[0])) == SampleJPEG.luma(#require(made[1])))
    }

    @Test(arguments: [FourCC.yuyv, .uyvy, .nv12, .yu12, .yuv422p, .grey, .y10, .rgb24, .bgrx32])
    func `raw pictures that differ only under a mask are drawn alike`(_ format: FourCC) throws {
        // Touches all of its cells by more than the margin.
        let (look, layout) = (try look("26x36+35+26px"), PictureLayout(format, Self.size))
        let smooth = SamplePicture.smooth(Self.size)
        let changed = SamplePicture(size: Self.size) { x, y in
            self.isMasked(look, MaskGrid.cell, Int(x), Int(y)) ? .grey(0.9) : smooth.color(x, y)
        }
        for options in [ImageOptions(), ImageOptions(width: 31), ImageOptions(turn: .quarter)] {
            let plan = try GeometryPlan(options, look, of: Self.size)
            var encoder = JPEGEncoder()
            let made = try [smooth, changed].map { picture in
                var planes = PlanarPicture()
                try encoder.draw(
                    picture.render(layout).rawSpan,
                    layout: layout,
                    plan: plan,
                    masking: look,
                    into: &planes
                )
                return try encoder.encode(planes, quality: 90)
            }
            #expect(made[0] == made[1])
            let luma = try SampleJPEG.luma(made[0])
            #expect(luma.count { $0 < 12 } >= luma.count / 6, "the mask is black")
            #expect(luma.contains { $0 > 128 })
        }
    }
}

/// Numbers of the pixels of a picture, row by row.
private struct Pixels: Equatable {
    var size: FrameSize
    var values: [Int]

    init(_ size: FrameSize) { (self.size, values) = (size, Array(0..<size.area)) }

    /// Applies crop and orientation of a plan without scaling.
    func cut(_ plan: GeometryPlan) -> Pixels {
        let (region, way) = (plan.region, plan.orientation)
        var cut = self
        cut.size = plan.size
        cut.values = (0..<plan.size.area).map { place in
            var (column, row) = (place % plan.size.width, place / plan.size.width)
            if way.swapsAxes { (column, row) = (row, column) }
            if way.mirrorsColumns { column = region.size.width - 1 - column }
            if way.mirrorsRows { row = region.size.height - 1 - row }
            return values[(region.top + row) * size.width + region.left + column]
        }
        return cut
    }
}
