// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

/// Multi-scan pictures: libjpeg buffers all their coefficients, so that large ones are refused.
struct BufferedPictureTests {
    private static let most = FrameSize(width: 4000, height: 4000)
    private static let more = FrameSize(width: 4000, height: 4001)

    /// Operation that decodes a picture with libjpeg.
    struct Use: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let apply: @Sendable ([UInt8], FrameSize) throws -> Void

        init(_ name: String, _ apply: @escaping @Sendable ([UInt8], FrameSize) throws -> Void) {
            testDescription = name
            self.apply = apply
        }
    }

    private static let uses = [
        Use("lossless turn") { jpeg, size in
            var transformer = JPEGTransformer()
            let plan = try GeometryPlan(ImageOptions(turn: .quarter), of: size)
            _ = try transformer.transform(jpeg.rawSpan, plan: plan, strict: false)
        },
        Use("thumbnail") { jpeg, _ in _ = try JPEGThumbnail.make(of: jpeg.rawSpan, width: 320) },
        Use("decoder warning") { jpeg, _ in
            var decoder = JPEGDecoder()
            _ = try decoder.warning(about: jpeg.rawSpan)
        },
        Use("statistics") { jpeg, _ in
            var decoder = JPEGDecoder()
            _ = try decoder.statistics(of: jpeg.rawSpan)
        },
        Use("RGB pixels") { jpeg, _ in
            var decoder = JPEGDecoder()
            _ = try decoder.decodeRGB(jpeg.rawSpan)
        },
    ]

    @Test(arguments: uses)
    func `every use refuses a multi-scan picture of more than 16 megapixels`(_ use: Use) throws {
        let small = FrameSize(width: 96, height: 64)
        let baseline = SampleJPEG.sampled(.quarter, small)
        let separate = try inTemporaryFolder { folder in
            try Data("0;1;2;".utf8).write(to: URL(filePath: folder + "/scans"))
            return try Programs.jpegtran(baseline, ["-scans", folder + "/scans"])
        }
        for (jpeg, words) in [
            (SampleJPEG.progressive(small), "is progressive"), (separate, "has its colours in separate scans"),
        ] {
            let error = #expect(throws: ImagingError.self) {
                try use.apply(SampleJPEG.resized(jpeg, to: Self.more), Self.more)
            }
            let problem = try #require(error?.refusal)
            #expect(problem.code == .configurationUnsupported)
            #expect(problem.detail.contains("\(words) and has 16.0 megapixels (4000x4001)"), "\(problem)")
            #expect(throws: Never.self) { try Self.draw(SampleJPEG.resized(jpeg, to: Self.most)) }
            // Fails otherwise: most of its data is missing.
            #expect(try Self.refusal(of: SampleJPEG.resized(jpeg, to: Self.most), Self.most, use) == nil)
        }
        // A baseline picture is decoded row by row and accepted at any size.
        #expect(throws: Never.self) { try Self.draw(SampleJPEG.resized(baseline, to: Self.more)) }
        #expect(try Self.refusal(of: SampleJPEG.resized(baseline, to: Self.more), Self.more, use) == nil)
    }

    private static func draw(_ jpeg: [UInt8]) throws {
        _ = try PlanarPicture(drawing: jpeg, ImageOptions(width: 320), strict: false)
    }

    private static func refusal(of jpeg: [UInt8], _ size: FrameSize, _ use: Use) throws -> Problem? {
        do {
            try use.apply(jpeg, size)
            return nil
        } catch let error as ImagingError {
            return error.refusal
        }
    }

    @Test func `a large progressive picture is refused without a fault`() throws {
        let jpeg = SampleJPEG.resized(SampleJPEG.progressive(FrameSize(width: 96, height: 64)), to: Self.more)
        var inspector = JPEGInspector()
        for (depth, isRefused) in [(JPEGInspection.Depth.segments, false), (.entropy, true)] {
            let seen = JPEGInspection(jpeg.rawSpan, expected: Self.more, depth: depth, with: &inspector)
            #expect(seen.faults.isEmpty && seen.quirks.isEmpty, "\(seen.faults)")
            #expect((seen.refusal?.code == .configurationUnsupported) == isRefused)
            #expect(seen.whole == .delivered(count: jpeg.count))
        }
    }
}
