// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct GeometryPlanTests {
    private func size(_ text: String) throws -> FrameSize { try #require(FrameSize(text)) }

    /// A picture, a box, and the size of the still.
    struct Fit: Sendable, CustomTestStringConvertible {
        let source: String
        let width: Int?
        let height: Int?
        let result: String
        var testDescription: String { "\(source) in \(width ?? 0)x\(height ?? 0) is \(result)" }
    }

    @Test(arguments: [
        Fit(source: "1280x720", width: nil, height: nil, result: "1280x720"),
        Fit(source: "1280x720", width: 320, height: nil, result: "320x180"),
        Fit(source: "1280x720", width: nil, height: 180, result: "320x180"),
        Fit(source: "1280x720", width: 320, height: 320, result: "320x180"),
        Fit(source: "1280x720", width: 4000, height: 180, result: "320x180"),
        Fit(source: "1280x720", width: 100, height: 1000, result: "100x56"),
        Fit(source: "1280x720", width: 1280, height: 720, result: "1280x720"),
        Fit(source: "1280x720", width: 65500, height: 65500, result: "1280x720"),
        Fit(source: "1280x720", width: 1279, height: nil, result: "1279x719"),
        Fit(source: "1280x720", width: 1, height: nil, result: "1x1"),
        Fit(source: "720x1280", width: 500, height: 500, result: "281x500"),
        Fit(source: "65500x1", width: 100, height: nil, result: "100x1"),
        Fit(source: "1x65500", width: 100, height: 7, result: "1x7"),
        Fit(source: "3x2", width: 2, height: nil, result: "2x1"),
        Fit(source: "8000x6000", width: 320, height: nil, result: "320x240"),
    ])
    func `a still fits its box, keeps its proportions and is never larger than the picture`(_ fit: Fit) throws {
        let rendering = StillRendering(width: fit.width, height: fit.height)
        let plan = try GeometryPlan(rendering, of: size(fit.source))
        #expect(plan.size.description == fit.result)
        #expect(plan.isScaled == (fit.source != fit.result))
        #expect(plan.isIdentity == (fit.source == fit.result))
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
