// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// The look of a camera in each output, on the test pattern.
    @Suite struct LookTests {
        private static let size = FrameSize(width: 256, height: 128)

        private static func configuration(_ look: CameraLook) -> SessionConfiguration {
            let ring = RingConfiguration(quality: StillRequest.defaultQuality)
            var configuration = SessionConfiguration(warmth: .hot, ring: ring, look: look)
            configuration.format.size = .near(size)
            return configuration
        }

        /// Masks all that changes from frame to frame: the lowest eighth stays visible.
        private static func masked() throws -> CameraLook {
            var look = CameraLook()
            look.size = size
            look.mask = [try #require(MaskShape("100x80+0+0"))]
            return look
        }

        private static func pixels(_ jpeg: [UInt8]) throws -> [UInt8] {
            var decoder = JPEGDecoder()
            return try decoder.decodeRGB(jpeg.rawSpan).rgb
        }

        private static let renderings = [
            ImageOptions(), ImageOptions(quality: 50), ImageOptions(width: 100), ImageOptions(turn: .quarter),
            ImageOptions(crop: CropRectangle("200x100+10+28"), flip: .vertical), ImageOptions(isLossless: false),
        ]

        @Test(arguments: ["YUYV", "NV12", "GREY", "MJPG", "BA81", "Y16"])
        func `frames that differ only under the mask look the same in every output`(_ format: String) async throws {
            let configuration = try Self.configuration(Self.masked())
            try await Stage.run("\(format):256x128@50", configuration: configuration) { stage in
                func expectSame(_ what: String, _ take: () async throws -> [UInt8]) async throws {
                    var seen: Set<[UInt8]> = []
                    for _ in 0..<3 { seen.insert(try Self.pixels(try await take())) }
                    #expect(seen.count == 1, "\(what)")
                    #expect(seen.first?.contains { $0 > 60 } == true, "\(what) shows what is not masked")
                }
                for rendering in Self.renderings {
                    for (average, integrity) in [(1, Integrity.strict), (1, .tolerant), (2, .strict)]
                    where average == 1 || rendering.isLossless == nil {
                        try await expectSame("\(rendering), \(average), \(integrity)") {
                            let request = StillRequest(integrity: integrity, rendering: rendering, average: average)
                            let still = try await stage.stills.take(request)
                            #expect(still.record.verdict == .intact)
                            return still.picture
                        }
                    }
                }
                let plain = try Self.pixels(try await stage.take().picture)
                #expect(plain.prefix(3 * 256 * 112).allSatisfy { $0 < 12 }, "the mask is black")
                try #require(await stage.fillsRing(.milliseconds(500)))
                var numbers: Set<UInt32> = []
                try await expectSame("ring") {
                    let still = try await stage.take(.at(.milliseconds(-200)))
                    numbers.insert(still.record.sequence)
                    #expect(await stage.captures(3))
                    return still.picture
                }
                #expect(numbers.count == 3)
                var request = StreamRequest()
                request.picture.settle = .never
                request.picture.integrity = .tolerant
                let stream = try PictureStream(stage.session, request, in: StreamTable(clock: TestClock()))
                try await expectSame("stream") { Array(try await stream.next().jpeg) }
                let burst = KeptStills()
                _ = try await stage.burst(StillRequest(burst: .count(3, every: .zero))) { burst.add($0) }
                let pictures = try burst.all.map { try Self.pixels($0.picture) }
                #expect(pictures.count == 3 && Set(pictures).count == 1)
            }
        }

        @Test func `without the mask frames differ`() async throws {
            var look = CameraLook()
            look.turn = .half
            try await Stage.run("MJPG:256x128@50", configuration: Self.configuration(look)) { stage in
                let pictures = [try await stage.take().picture, try await stage.take().picture]
                #expect(try Self.pixels(pictures[0]) != Self.pixels(pictures[1]))
            }
        }

        @Test(arguments: ["YUYV", "NV12", "GREY", "MJPG", "BA81"], Turn.allCases)
        func `every output has the orientation of the look`(_ format: String, _ turn: Turn) async throws {
            var look = CameraLook()
            (look.flip, look.turn) = (.horizontal, turn)
            let shown = ImageOptions(turn: turn, flip: .horizontal)
            try await Stage.run("\(format):256x64@50", configuration: Self.configuration(look)) { stage in
                _ = try await stage.take().code(undoing: shown)
                // A request comes on top: another flip after a half turn is one before it.
                let more = StillRequest(rendering: ImageOptions(turn: .half))
                let turned = Turn(rawValue: (turn.rawValue + 180) % 360) ?? .none
                _ = try await stage.stills.take(more).code(undoing: ImageOptions(turn: turned, flip: .horizontal))
                try #require(await stage.fillsRing(.milliseconds(500)))
                _ = try await stage.take(.at(.milliseconds(-200))).code(undoing: shown)
            }
        }

        @Test(arguments: [("256x128", nil), ("256x120", true)] as [(String, Bool?)])
        func `the record says if the look needed a recompression`(_ size: String, _ isSaid: Bool?) async throws {
            var look = CameraLook()
            look.turn = .half
            try await Stage.run("MJPG:\(size)@50", configuration: Self.configuration(look)) { stage in
                let still = try await stage.take()
                _ = try still.code(undoing: ImageOptions(turn: .half))
                #expect(still.record.recompressed == isSaid)
            }
        }

        @Test func `the status has the look`() async throws {
            var look = try Self.masked()
            look.turn = .half
            look.crop = CropRectangle("200x100+10+28")
            try await Stage.run("YUYV:256x128@50", configuration: Self.configuration(look)) { stage in
                let expected = LookStatus(rotate: 180, flip: nil, crop: look.crop, maskedAreas: 1)
                #expect(stage.session.status.look == expected)
            }
        }

        @Test func `a masked camera refuses unexamined pictures`() async throws {
            try await Stage.run("MJPG:256x128@50", configuration: Self.configuration(Self.masked())) { stage in
                await expectProblem(.configurationUnsupported) {
                    _ = try await stage.stills.take(StillRequest(integrity: .raw))
                }
            }
        }

        @Test func `a masked camera gives no damaged picture to a tolerant client`() async throws {
            let pattern = "MJPG:256x128@50,damage=100:3"
            try await Stage.run(pattern, configuration: Self.configuration(Self.masked())) { stage in
                await expectProblem(.corruptOnly) {
                    _ = try await stage.stills.take(StillRequest(deadline: .seconds(2), integrity: .tolerant))
                }
            }
        }

        @Test(arguments: ["zoom_absolute", "Zoom-Absolute", "0x00980913", "9963795"])
        func `a masked camera refuses controls that move the picture`(_ name: String) async throws {
            var configuration = try Self.configuration(Self.masked())
            configuration.controls = ControlSettings(["zoom_absolute": .integer(9)])
            try await Stage.run("GREY:256x128@50", configuration: configuration, drivers: [.zooming]) { stage in
                _ = try await stage.take()
                let controls = stage.session.controls
                let moved = ControlSettings([name: .integer(32)])
                await expectProblem(.configurationUnsupported) { try await controls.set(moved) }
                await expectProblem(.configurationUnsupported) { try await controls.use(moved, named: "night") }
                // A saved profile has all controls: the present value moves nothing.
                let same = ControlSettings([name: .integer(9), "brightness": .integer(99)])
                _ = try await controls.use(same, named: "day")
                #expect(try await controls.all().control(named: name)?.value == .integer(9))
                #expect(try await controls.all().control(named: "brightness")?.value == .integer(99))
            }
        }

        @Test func `a masked camera refuses settings that move the picture or change its proportions`() async throws {
            let configuration = try Self.configuration(Self.masked())
            try await Stage.run("GREY:256x128@50,also=GREY:64x48@50", configuration: configuration) { stage in
                let changes: [(inout SessionConfiguration) -> Void] = [
                    { $0.input.crop = CropRectangle("128x64+0+0") }, { $0.input.standard = "NTSC" },
                    { $0.format.size = .near(FrameSize(width: 64, height: 48)) }, { $0.format.size = nil },
                ]
                for change in changes {
                    var other = configuration
                    change(&other)
                    await expectProblem(.configurationUnsupported) { try await stage.session.apply(other) }
                }
                var smaller = configuration
                smaller.format.size = .near(FrameSize(width: 128, height: 64))
                _ = try await stage.session.apply(smaller)
            }
        }
    }
}
