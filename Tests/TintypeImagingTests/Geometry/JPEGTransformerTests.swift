// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct JPEGTransformerTests {
    /// Luma and chroma planes of a picture, without upsampling.
    private func planes(_ jpeg: [UInt8]) throws -> [Grid] { try PlanarPicture(drawing: jpeg).grids }

    private func transform(_ jpeg: [UInt8], _ rendering: ImageOptions) throws -> [UInt8]? {
        var transformer = JPEGTransformer()
        let plan = try GeometryPlan(rendering, of: JPEGHeader.read(jpeg.rawSpan).size)
        return try transformer.transform(jpeg.rawSpan, plan: plan)
    }

    /// Arguments of jpegtran for an orientation, one list for each run.
    private func arguments(_ way: WayRound) -> [[String]] {
        let flip = way.flip.map { [["-flip", $0.rawValue]] } ?? []
        return flip + (way.turn == .none ? [] : [["-rotate", "\(way.turn.rawValue)"]])
    }

    @Test(arguments: ChromaSampling.allCases, WayRound.all)
    func `every orientation has the scan of jpegtran`(_ sampling: ChromaSampling, _ way: WayRound) throws {
        for (width, height) in [(96, 64), (101, 75)] {
            let jpeg = SampleJPEG.sampled(sampling, FrameSize(width: width, height: height))
            guard let turned = try transform(jpeg, way.rendering()) else {
                #expect(sampling == .fourth && way.turn.swapsSides)
                continue
            }
            let expected = try arguments(way).reduce(jpeg) { picture, arguments in
                try Programs.jpegtran(picture, ["-copy", "none", "-trim"] + arguments)
            }
            // jpegtran trims for the flip and for the turn; the transformer combines them and trims once.
            if way.flip == nil || way.turn == .none || width == 96 {
                #expect(try JPEGHeader.read(turned.rawSpan) == JPEGHeader.read(expected.rawSpan))
                #expect(SampleJPEG.scan(turned).elementsEqual(SampleJPEG.scan(expected)), "\(width)x\(height)")
            }
            #expect(try planes(turned).count == (sampling == .grey ? 1 : 3))
        }
    }

    @Test(arguments: WayRound.all)
    func `a quarter turn swaps horizontal and vertical subsampling`(_ way: WayRound) throws {
        for (source, turned) in [
            (ChromaSampling.half, ChromaSampling.halfRows), (.halfRows, .half), (.quarter, .quarter),
        ] {
            let jpeg = SampleJPEG.sampled(source, FrameSize(width: 96, height: 64))
            let result = try #require(try transform(jpeg, way.rendering()))
            let header = try JPEGHeader.read(result.rawSpan)
            #expect(header.sampling == (way.turn.swapsSides ? turned : source))
        }
    }

    @Test(arguments: ChromaSampling.allCases)
    func `a crop has the scan of jpegtran`(_ sampling: ChromaSampling) throws {
        let jpeg = SampleJPEG.sampled(sampling, FrameSize(width: 202, height: 154))
        let whole = "202x154+0+0"
        for crop in ["100x50+33+17", "1x1+201+153", whole] {
            let result = try #require(try transform(jpeg, ImageOptions(crop: CropRectangle(crop))))
            let expected = crop == whole ? jpeg : try Programs.jpegtran(jpeg, ["-copy", "none", "-crop", crop])
            #expect(try JPEGHeader.read(result.rawSpan).size == JPEGHeader.read(expected.rawSpan).size)
            #expect(SampleJPEG.scan(result).elementsEqual(SampleJPEG.scan(expected)), "\(crop)")
        }
    }

    @Test(arguments: [ChromaSampling.full, .half, .quarter, .halfRows, .grey], WayRound.all)
    func `an oriented crop contains the requested region`(_ sampling: ChromaSampling, _ way: WayRound) throws {
        let size = FrameSize(width: 256, height: 160)
        let jpeg = SampleJPEG.sampled(sampling, size)
        let crop = try #require(CropRectangle("100x50+33+17"))
        let rendering = way.rendering(crop: crop)
        let result = try #require(try transform(jpeg, rendering))
        let plan = try GeometryPlan(rendering, of: size)
        let region = try #require(try LosslessPlan(plan, of: JPEGHeader.read(jpeg.rawSpan))).region
        #expect(region.left <= 33 && region.top <= 17)
        #expect(region.left + region.size.width >= 133 && region.top + region.size.height >= 67)
        // The luma equals that of the source, sample by sample.
        let part = try planes(jpeg)[0].cropped(region.left, region.top, region.size.width, region.size.height)
        let expected = part.flipped(way.flip).turned(way.turn)
        let luma = try planes(result)[0]
        #expect(try JPEGHeader.read(result.rawSpan).size == FrameSize(width: expected.width, height: expected.height))
        let different = zip(luma.cropped(0, 0, expected.width, expected.height).samples, expected.samples)
            .map { abs(Int($0) - Int($1)) }
        // The inverse DCT of turned coefficients rounds halves the other way.
        #expect(different.max() ?? 255 <= 1)
    }

    @Test func `only mirrored edges lose their incomplete blocks`() throws {
        let jpeg = SampleJPEG.sampled(.quarter, FrameSize(width: 101, height: 75))
        for (flip, turn, size) in [
            (Flip.horizontal, Turn.none, "96x75"), (.vertical, .none, "101x64"), (nil, .half, "96x64"),
            (nil, .quarter, "64x101"), (nil, .threeQuarters, "75x96"), (.horizontal, .threeQuarters, "75x101"),
        ] as [(Flip?, Turn, String)] {
            let result = try #require(try transform(jpeg, ImageOptions(turn: turn, flip: flip)))
            #expect(try JPEGHeader.read(result.rawSpan).size.description == size)
        }
    }

    @Test func `transforms missing tables, restart markers, padding and multiple scans`() throws {
        let size = FrameSize(width: 96, height: 64)
        let plain = SampleJPEG.sampled(.quarter, size)
        let expected = try #require(try transform(plain, ImageOptions(turn: .quarter)))
        let restarts = try Programs.jpegtran(plain, ["-restart", "2B"])
        #expect(SampleJPEG.segments(restarts).contains { $0.marker == 0xDD })
        for (name, jpeg) in [
            ("tables", SampleJPEG.withoutTables(plain)), ("restarts", restarts), ("padding", plain + [0, 0, 0, 0]),
            ("progressive", try Programs.jpegtran(plain, ["-progressive"])),
        ] {
            let turned = try #require(try transform(jpeg, ImageOptions(turn: .quarter)))
            #expect(SampleJPEG.scan(turned).elementsEqual(SampleJPEG.scan(expected)), "\(name)")
            let isWhole = JPEGHeader.isWhole(turned.rawSpan)
            #expect(isWhole)
            let drawn = try planes(jpeg)
            #expect(try drawn == planes(plain), "\(name)")
        }
    }

    @Test func `drops the APP segments of the camera`() throws {
        let plain = SampleJPEG.sampled(.quarter, FrameSize(width: 96, height: 64))
        let exif: [UInt8] = [0xFF, 0xE1, 0, 8, 0x45, 0x78, 0x69, 0x66, 0, 0]
        let result = try #require(try transform(Array(plain.prefix(2)) + exif + plain.dropFirst(2), .init(turn: .half)))
        #expect(!SampleJPEG.segments(result).contains { $0.marker == 0xE1 })
    }

    @Test func `only strict mode rejects a damaged picture`() throws {
        var jpeg = SampleJPEG.sampled(.quarter, FrameSize(width: 96, height: 64))
        jpeg.removeSubrange(jpeg.count / 2..<jpeg.count - 2)
        let plan = try GeometryPlan(ImageOptions(turn: .quarter), of: FrameSize(width: 96, height: 64))
        var transformer = JPEGTransformer()
        var picture = PlanarPicture()
        let error = #expect(throws: ImagingError.self) { _ = try transformer.transform(jpeg.rawSpan, plan: plan) }
        #expect(error?.isNotJPEG == true)
        #expect(throws: ImagingError.self) { try transformer.draw(jpeg.rawSpan, plan: plan, into: &picture) }
        let loose = try #require(try transformer.transform(jpeg.rawSpan, plan: plan, strict: false))
        #expect(try JPEGHeader.read(loose.rawSpan).size.description == "64x96")
        try transformer.draw(jpeg.rawSpan, plan: plan, strict: false, into: &picture)
        #expect(picture.size.description == "64x96")
    }

    /// libturbojpeg reports an aborted transform as a warning; the buffer still has the previous picture.
    @Test func `a transform aborted by libturbojpeg is an error`() throws {
        let jpeg = try Corpus.file("bad-tables-twice.jpg")
        let size = try JPEGHeader.read(jpeg.rawSpan).size
        var transformer = JPEGTransformer()
        let other = SampleJPEG.sampled(.quarter, size)
        let plan = try GeometryPlan(ImageOptions(turn: .half), of: size)
        _ = try transformer.transform(other.rawSpan, plan: plan, strict: false)
        let error = #expect(throws: ImagingError.self) {
            _ = try transformer.transform(jpeg.rawSpan, plan: plan, strict: false)
        }
        #expect(error?.isNotJPEG == true)
    }

    @Test func `a picture of unexpected size is an error`() throws {
        let jpeg = SampleJPEG.sampled(.quarter, FrameSize(width: 96, height: 64))
        let plan = try GeometryPlan(ImageOptions(turn: .quarter), of: FrameSize(width: 64, height: 64))
        var transformer = JPEGTransformer()
        var picture = PlanarPicture()
        let error = ImagingError.sizeMismatch(FrameSize(width: 96, height: 64), expected: plan.source)
        #expect(throws: error) { _ = try transformer.transform(jpeg.rawSpan, plan: plan) }
        #expect(throws: error) { try transformer.draw(jpeg.rawSpan, plan: plan, into: &picture) }
    }
}

extension ImagingError {
    var isNotJPEG: Bool { if case .notJPEG = self { true } else { false } }

    var refusal: Problem? { if case .refused(let problem) = self { problem } else { nil } }
}
