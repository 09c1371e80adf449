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
    func `a still fits its box, keeps its proportions and is never larger than the picture`(
        _ source: String,
        _ width: Int?,
        _ height: Int?,
        _ result: String
    ) throws {
        let plan = try GeometryPlan(StillRendering(width: width, height: height), of: size(source))
        #expect(plan.size.description == result)
        #expect(plan.isScaled == (source != result))
        #expect(plan.isIdentity == (source == result))
    }

    @Test func `the box is that of the still, after the crop and the turn`() throws {
        let crop = try #require(CropRectangle("600x200+10+20"))
        let plan = try GeometryPlan(
            StillRendering(width: 100, height: 400, crop: crop, turn: .quarter),
            of: size("1280x720")
        )
        #expect(plan.size.description == "100x300")
        #expect(plan.upright.description == "300x100")
        #expect(!plan.isIdentity)
    }

    @Test(arguments: [
        "1281x720+0+0", "1280x721+0+0", "1280x720+1+0", "1280x720+0+1", "1x1+1280+0", "1x1+0+720",
        "65535x65535+65535+65535",
    ])
    func `a crop that leaves the picture is refused with its field and the size of the picture`(_ text: String) throws {
        let crop = try #require(CropRectangle(text))
        let error = #expect(throws: ImagingError.self) {
            _ = try GeometryPlan(StillRendering(crop: crop), of: size("1280x720"))
        }
        guard case .refused(let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.code == .invalidRequest)
        #expect(problem.field == "crop")
        #expect(problem.detail.contains(text) && problem.detail.contains("picture of 1280x720"))
    }

    @Test func `a crop of no pixels or before the picture is refused`() throws {
        for (width, height, left, top) in [(0, 1, 0, 0), (1, 0, 0, 0), (1, 1, -1, 0), (1, 1, 0, -1)] {
            let crop = CropRectangle(size: FrameSize(width: width, height: height), left: left, top: top)
            #expect(throws: ImagingError.self) {
                _ = try GeometryPlan(StillRendering(crop: crop), of: size("64x64"))
            }
        }
    }

    @Test(arguments: ["1280x720+0+0", "1x1+1279+719", "640x360+640+360"])
    func `a crop up to the edge is taken`(_ text: String) throws {
        let crop = try #require(CropRectangle(text))
        #expect(try GeometryPlan(StillRendering(crop: crop), of: size("1280x720")).size == crop.size)
    }

    @Test(arguments: [
        ("8000x6000", 320, 1), ("1280x720", 160, 1), ("1280x720", 161, 2), ("1280x720", 320, 2), ("1280x720", 321, 4),
        ("1280x720", 640, 4), ("1280x720", 641, 8), ("1280x720", 1280, 8),
    ])
    func `a picture is decoded as small as it may be and has enough pixels`(
        _ source: String,
        _ width: Int,
        _ eighths: Int
    ) throws {
        #expect(try GeometryPlan(StillRendering(width: width), of: size(source)).eighths == eighths)
    }
}
