// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct RenderedStillTests {
        private static let ways: [ImageOptions] = [nil, Flip.horizontal, .vertical].flatMap { flip in
            Turn.allCases.flatMap { turn in
                [true, false].map { ImageOptions(turn: turn, flip: flip, isLossless: $0) }
            }
        }

        private func take(_ stage: Stage, _ rendering: ImageOptions) async throws(Problem) -> Still {
            try await stage.stills.take(StillRequest(deadline: .seconds(20), rendering: rendering))
        }

        @Test(arguments: ["MJPG", "YUYV", "NV12", "GREY", "RGGB", "Y16"])
        func `every orientation shows the requested frame`(_ format: String) async throws {
            try await Stage.run("\(format):320x192@100") { stage in
                for rendering in Self.ways {
                    let before = TestClock().now
                    let still = try await take(stage, rendering)
                    let size = (still.record.width, still.record.height)
                    #expect(size == (rendering.turn.swapsSides ? (192, 320) : (320, 192)))
                    let code = try still.code(undoing: rendering)
                    #expect(code.number == still.record.sequence)
                    #expect(code.microseconds >= UInt64(before.nanoseconds / 1000))
                }
                #expect(stage.counters.corrupt == 0)
            }
        }

        @Test(arguments: ["MJPG", "YUYV", "NV12", "GREY", "RGGB"])
        func `scaled and cropped stills show the frame at the recorded size`(_ format: String) async throws {
            try await Stage.run("\(format):640x120@50") { stage in
                let crop = try #require(CropRectangle("512x96+0+0"))
                for (rendering, width, height) in [
                    (ImageOptions(width: 320), 320, 60), (ImageOptions(height: 60), 320, 60),
                    (ImageOptions(width: 320, isLossless: false), 320, 60), (ImageOptions(crop: crop), 512, 96),
                    (ImageOptions(crop: crop, isLossless: false), 512, 96),
                    (ImageOptions(width: 256, crop: crop), 256, 48),
                    (ImageOptions(width: 60, turn: .quarter), 60, 320),
                ] {
                    let still = try await take(stage, rendering)
                    #expect((still.record.width, still.record.height) == (width, height))
                    #expect(try JPEGHeader.read(still.picture.rawSpan).size == FrameSize(width: width, height: height))
                    #expect(try still.code(undoing: rendering).number == still.record.sequence)
                }
            }
        }

        @Test func `an unchanged JPEG picture is passed through`() async throws {
            try await Stage.run("MJPG:320x192@1") { stage in
                let plain = try await take(stage, ImageOptions())
                for rendering in [ImageOptions(width: 320, height: 4000), ImageOptions(isLossless: false)] {
                    let request = StillRequest(fresh: .latest, rendering: rendering)
                    let still = try await stage.stills.take(request)
                    guard still.record.sequence == plain.record.sequence else { continue }
                    #expect(Exif.removed(from: still.picture) == Exif.removed(from: plain.picture))
                }
            }
        }

        @Test(arguments: ["MJPG", "YUYV"])
        func `the requested quality applies to every options`(_ format: String) async throws {
            try await Stage.run("\(format):320x192@50") { stage in
                for rendering in [
                    ImageOptions(), ImageOptions(flip: .horizontal), ImageOptions(width: 300),
                    ImageOptions(turn: .half, isLossless: false),
                    ImageOptions(crop: CropRectangle("201x101+3+5"), isLossless: false),
                ] {
                    var (fine, coarse) = (rendering, rendering)
                    (fine.quality, coarse.quality) = (95, 5)
                    let bytes = try await (take(stage, fine).picture.count, take(stage, coarse).picture.count)
                    #expect(bytes.0 > 2 * bytes.1)
                }
            }
        }

        @Test func `an exact crop is rejected only if it must be lossless`() async throws {
            let crop = try #require(CropRectangle("101x51+35+21"))
            let whole = try #require(CropRectangle("104x56+32+16"))
            for format in ["MJPG", "YUYV"] {
                try await Stage.run("\(format):320x192@50") { stage in
                    for isLossless in [nil, false] as [Bool?] {
                        let exact = try await take(stage, ImageOptions(crop: crop, isLossless: isLossless)).record
                        #expect((exact.width, exact.height) == (101, 51))
                    }
                    let scaled = try await take(stage, ImageOptions(width: 100, crop: crop)).record
                    #expect((scaled.width, scaled.height) == (100, 50))
                }
            }
            try await Stage.run("MJPG:320x192@50") { stage in
                await expectProblem(.configurationUnsupported, remedy: "crop \(whole)", field: "lossless") {
                    try await take(stage, ImageOptions(crop: crop, isLossless: true))
                }
                let kept = try await take(stage, ImageOptions(crop: whole, isLossless: true)).record
                #expect((kept.width, kept.height) == (104, 56))
                #expect(stage.counters.corrupt == 0)
            }
        }

        @Test func `a crop on block boundaries keeps the camera's compression`() async throws {
            // Quantization tables of a JPEG picture (DQT).
            func tables(_ still: Still) -> [UInt8]? {
                still.picture.firstRange(of: [0xFF, 0xDB]).map { Array(still.picture[$0.upperBound...].prefix(67)) }
            }
            let crop = try #require(CropRectangle("96x64+32+16"))
            try await Stage.run("MJPG:320x192@50") { stage in
                let camera = try #require(tables(try await take(stage, ImageOptions())))
                for (isLossless, isKept) in [(nil, true), (true, true), (false, false)] as [(Bool?, Bool)] {
                    let still = try await take(stage, ImageOptions(crop: crop, isLossless: isLossless))
                    #expect((still.record.width, still.record.height) == (96, 64))
                    #expect((tables(still) == camera) == isKept)
                }
            }
        }

        @Test func `turning keeps the rows of incomplete blocks`() async throws {
            try await Stage.run("MJPG:320x180@50") { stage in
                let turned = try await take(stage, ImageOptions(turn: .half))
                #expect((turned.record.width, turned.record.height) == (320, 180))
                await expectProblem(.configurationUnsupported) {
                    try await take(stage, ImageOptions(turn: .half, isLossless: true))
                }
            }
        }

        @Test(arguments: ["MJPG", "YUYV", "RGGB"])
        func `rejects a crop outside the picture`(_ format: String) async throws {
            try await Stage.run("\(format):320x192@50") { stage in
                let outside = ImageOptions(crop: CropRectangle("320x192+0+1"))
                let words = ("320x192+0+1", "picture of 320x192")
                await expectProblem(.invalidRequest, words.0, words.1, field: "crop", within: .seconds(10)) {
                    try await take(stage, outside)
                }
                // A client with a valid request gets its still of the same frames.
                async let refused = #expect(throws: Problem.self) { try await take(stage, outside) }
                async let also = #expect(throws: Problem.self) { try await take(stage, outside) }
                async let given = take(stage, ImageOptions())
                _ = try await given.code()
                #expect(await [refused?.field, also?.field] == ["crop", "crop"])
                #expect(stage.counters.corrupt == 0)
                #expect(stage.messages.loud.isEmpty)
                #expect(!stage.session.dispatcher.need.isInDemand)
            }
        }

        @Test(arguments: ["MJPG", "YUYV"])
        func `a burst rejects a crop outside the picture`(_ format: String) async throws {
            let ring = RingConfiguration(quality: StillRequest.defaultQuality)
            let configuration = SessionConfiguration(warmth: .hot, ring: ring)
            try await Stage.run(list: ["\(format):320x192@50"], configuration: configuration) { stage in
                #expect(await TestClock().reaches { stage.session.status.ring?.frames ?? 0 > 10 })
                for burst in [
                    Burst.count(3, every: .zero), .count(1000, every: .zero),
                    .span(from: .zero, to: .seconds(60), nth: 1),
                    .span(from: .milliseconds(-100), to: .seconds(60), nth: 1),
                ] {
                    let outside = ImageOptions(crop: CropRectangle("320x192+0+1"))
                    let request = StillRequest(deadline: .seconds(60), burst: burst, rendering: outside)
                    await expectProblem(.invalidRequest, field: "crop", within: .seconds(10)) {
                        try await stage.burst(request)
                    }
                }
                #expect(stage.counters.corrupt == 0)
                #expect(!stage.session.dispatcher.need.isInDemand)
            }
        }

        @Test func `skips damaged pictures for turned and scaled stills`() async throws {
            try await Stage.run("MJPG:320x192@100,cut-every=2") { stage in
                for rendering in [ImageOptions(turn: .half), ImageOptions(width: 160)] {
                    for _ in 0..<5 { _ = try await take(stage, rendering) }
                }
                #expect(stage.counters.corrupt > 0)
            }
        }
    }
}
