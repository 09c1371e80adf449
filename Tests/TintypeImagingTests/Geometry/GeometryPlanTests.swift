// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct GeometryPlanTests {
    private func size(_ text: String) throws -> FrameSize { try #require(FrameSize(text)) }

    @Test(
        arguments: [
            ("1280x720", nil, nil, "1280x720"),
            ("1280x720", 320, nil, "320x180"),
            ("1280x720", nil, 180, "320x180"),
            ("1280x720", 320, 320, "320x180"),
            ("1280x720", 4000, 180, "320x180"),
            ("1280x720", 100, 1000, "100x56"),
            ("1280x720", 1280, 720, "1280x720"),
            ("1280x720", 65500, 65500, "1280x720"),
            ("1280x720", 1279, nil, "1279x719"),
            ("1280x720", 1, nil, "1x1"),
            ("720x1280", 500, 500, "281x500"),
            ("65500x1", 100, nil, "100x1"),
            ("1x65500", 100, 7, "1x7"),
            ("3x2", 2, nil, "2x1"),
            ("8000x6000", 320, nil, "320x240"),
        ] as [(String, Int?, Int?, String)]
    )
    func `a still fits its box without upscaling`(
        _ source: String,
        _ width: Int?,
        _ height: Int?,
        _ result: String
    ) throws {
        let plan = try GeometryPlan(ImageOptions(width: width, height: height), of: size(source))
        #expect(plan.size.description == result)
        #expect(plan.isScaled == (source != result))
        #expect(plan.isIdentity == (source == result))
    }

    @Test func `the box applies after crop and turn`() throws {
        let crop = try #require(CropRectangle("600x200+10+20"))
        let rendering = ImageOptions(width: 100, height: 400, crop: crop, turn: .quarter)
        let plan = try GeometryPlan(rendering, of: size("1280x720"))
        #expect(plan.size.description == "100x300")
        #expect(plan.upright.description == "300x100")
        #expect(!plan.isIdentity)
    }

    @Test(arguments: [
        "1281x720+0+0", "1280x721+0+0", "1280x720+1+0", "1280x720+0+1", "1x1+1280+0", "1x1+0+720",
        "65535x65535+65535+65535",
    ])
    func `refuses a crop beyond the picture`(_ text: String) throws {
        let crop = try #require(CropRectangle(text))
        let error = #expect(throws: ImagingError.self) {
            _ = try GeometryPlan(ImageOptions(crop: crop), of: size("1280x720"))
        }
        let problem = try #require(error?.refusal)
        #expect(problem.code == .invalidRequest)
        #expect(problem.field == "crop")
        #expect(problem.detail.contains(text) && problem.detail.contains("picture of 1280x720"))
    }

    @Test func `refuses an empty or negative crop`() throws {
        for (width, height, left, top) in [(0, 1, 0, 0), (1, 0, 0, 0), (1, 1, -1, 0), (1, 1, 0, -1)] {
            let crop = CropRectangle(size: FrameSize(width: width, height: height), left: left, top: top)
            #expect(throws: ImagingError.self) { _ = try GeometryPlan(ImageOptions(crop: crop), of: size("64x64")) }
        }
    }

    @Test(arguments: ["1280x720+0+0", "1x1+1279+719", "640x360+640+360"])
    func `accepts a crop up to the edge`(_ text: String) throws {
        let crop = try #require(CropRectangle(text))
        #expect(try GeometryPlan(ImageOptions(crop: crop), of: size("1280x720")).size == crop.size)
    }

    @Test(arguments: [
        ("8000x6000", 320, 1), ("1280x720", 160, 1), ("1280x720", 161, 2), ("1280x720", 320, 2), ("1280x720", 321, 4),
        ("1280x720", 640, 4), ("1280x720", 641, 8), ("1280x720", 1280, 8),
    ])
    func `decodes at the smallest sufficient scale`(_ source: String, _ width: Int, _ eighths: Int) throws {
        #expect(try GeometryPlan(ImageOptions(width: width), of: size(source)).eighths == eighths)
    }
}

struct LosslessPlanTests {
    /// Picture, request and expected region; nil if no lossless region exists.
    struct Case: Sendable, CustomTestStringConvertible {
        let sampling: ChromaSampling
        let size: String
        var crop: String?
        var flip: Flip?
        var turn = Turn.none
        let region: String?
        var testDescription: String {
            "\(sampling) \(size) \(crop ?? "whole") flip \(flip?.rawValue ?? "none") turn \(turn.rawValue)"
        }
    }

    @Test(arguments: [
        // The region starts on a block, at or before the crop; its end is unchanged.
        Case(sampling: .quarter, size: "640x480", crop: "100x50+32+16", region: "100x50+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", region: "101x51+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+47+31", region: "115x65+32+16"),
        Case(sampling: .half, size: "640x480", crop: "100x50+47+31", region: "115x57+32+24"),
        Case(sampling: .full, size: "640x480", crop: "100x50+47+31", region: "107x57+40+24"),
        Case(sampling: .halfRows, size: "640x480", crop: "100x50+47+31", region: "107x65+40+16"),
        Case(sampling: .fourth, size: "640x480", crop: "100x50+47+31", region: "115x57+32+24"),
        Case(sampling: .grey, size: "640x480", crop: "100x50+47+31", region: "107x57+40+24"),
        Case(sampling: .quarter, size: "639x479", crop: "9x9+630+470", region: "15x15+624+464"),
        // A mirrored region ends on a block too.
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", flip: .horizontal, region: "112x51+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", flip: .vertical, region: "101x64+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", turn: .half, region: "112x64+32+16"),
        // A quarter clockwise mirrors the rows, three quarters mirror the columns.
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", turn: .quarter, region: "101x64+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", turn: .threeQuarters, region: "112x51+32+16"),
        // Mirroring at the edge of the picture drops its incomplete block.
        Case(sampling: .quarter, size: "1920x1080", flip: .vertical, region: "1920x1072+0+0"),
        Case(sampling: .half, size: "1920x1080", flip: .vertical, region: "1920x1080+0+0"),
        Case(sampling: .quarter, size: "1920x1080", flip: .horizontal, region: "1920x1080+0+0"),
        Case(sampling: .quarter, size: "1920x1080", turn: .quarter, region: "1920x1072+0+0"),
        Case(sampling: .quarter, size: "1920x1080", turn: .threeQuarters, region: "1920x1080+0+0"),
        Case(sampling: .quarter, size: "1920x1080", flip: .horizontal, turn: .threeQuarters, region: "1920x1080+0+0"),
        Case(sampling: .quarter, size: "639x479", turn: .half, region: "624x464+0+0"),
        // Empty result, or one with an unsupported sampling.
        Case(sampling: .quarter, size: "639x479", crop: "9x9+630+470", flip: .horizontal, region: nil),
        Case(sampling: .quarter, size: "15x15", turn: .half, region: nil),
        Case(sampling: .fourth, size: "640x480", turn: .quarter, region: nil),
        Case(sampling: .fourth, size: "640x480", flip: .horizontal, turn: .threeQuarters, region: nil),
        Case(sampling: .fourth, size: "640x480", turn: .half, region: "640x480+0+0"),
    ])
    func `a lossless region is aligned to whole blocks`(_ test: Case) throws {
        let size = try #require(FrameSize(test.size))
        let jpeg = SampleJPEG.sampled(test.sampling, size)
        let header = try JPEGHeader.read(jpeg.rawSpan)
        #expect(header.sampling == test.sampling)
        let crop = try test.crop.map { try #require(CropRectangle($0)) }
        let plan = try GeometryPlan(ImageOptions(crop: crop, turn: test.turn, flip: test.flip), of: size)
        #expect(LosslessPlan(plan, of: header)?.region.description == test.region)
    }

    @Test func `a scaled still has no lossless plan`() throws {
        let size = FrameSize(width: 64, height: 64)
        let jpeg = SampleJPEG.sampled(.quarter, size)
        let plan = try GeometryPlan(ImageOptions(width: 32), of: size)
        #expect(try LosslessPlan(plan, of: JPEGHeader.read(jpeg.rawSpan)) == nil)
    }
}
