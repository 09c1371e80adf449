// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeDevice

struct PatternSceneTests {
    private static let noon = Timestamp(microseconds: 1_790_000_000_000_000)
    private static let (day, night) = (UInt32(30 * 5), UInt32(190 * 5))

    private static func layout(_ text: String) throws -> PictureLayout {
        let format = try PatternSpec(text).format
        var layout = PictureLayout(pixelFormat: format.pixelFormat, size: format.size, bytesPerRow: 0, color: .jfif)
        layout.bytesPerRow = try #require(layout.minimumBytesPerRow)
        return layout
    }

    /// The last of these frames, drawn in order by one painter at 5 frames a second.
    private static func picture(
        _ scene: PatternScene,
        _ text: String,
        _ numbers: some Sequence<UInt32>,
        at moment: Timestamp = noon,
        look: PatternLook = PatternLook()
    ) throws -> [UInt8] {
        let layout = try layout(text)
        let painter = ScenePainter(scene, layout, look, period: .milliseconds(200))
        var pixels = [UInt8](repeating: 0, count: try #require(layout.byteCount))
        var span = pixels.mutableSpan
        var bytes = unsafe span.mutableBytes
        for number in numbers { painter.paint(number, at: moment, into: &bytes) }
        return pixels
    }

    private static func meanLuma(_ scene: PatternScene, _ number: UInt32) throws -> Double {
        let pixels = try picture(scene, "YUYV:320x180", [number])
        return try FrameStatistics(pixels.rawSpan, layout: layout("YUYV:320x180")).meanLuma
    }

    @Test(arguments: PatternScene.allCases)
    func `a frame depends on its number and the clock only`(_ scene: PatternScene) throws {
        for number in [Self.day, Self.night] {
            let single = try Self.picture(scene, "YUYV:320x180", [number])
            #expect(try Self.picture(scene, "YUYV:320x180", 0...number) == single, "after all others")
            #expect(try Self.picture(scene, "YUYV:320x180", [number - 3, number]) == single, "after a gap")
            #expect(try Self.picture(scene, "YUYV:320x180", [number + 9, number]) == single, "after a later one")
            #expect(try Self.picture(scene, "YUYV:320x180", [number + 1]) != single)
        }
        let later = try Self.picture(scene, "YUYV:320x180", [Self.day], at: Self.noon + .seconds(5))
        #expect((later == (try Self.picture(scene, "YUYV:320x180", [Self.day]))) == (scene == .yard))
    }

    @Test func `the night is darker than the day, and less so in a lit room`() throws {
        #expect(try Self.meanLuma(.yard, Self.day) > 4 * Self.meanLuma(.yard, Self.night))
        #expect(try Self.meanLuma(.workshop, Self.day) > 1.5 * Self.meanLuma(.workshop, Self.night))
        #expect(try Self.meanLuma(.workshop, Self.night) > 2 * Self.meanLuma(.yard, Self.night))
    }

    @Test(arguments: ["320x180", "323x181"])
    func `draws the same luma in each format`(_ size: String) throws {
        let layout = try Self.layout("GREY:\(size)")
        let grey = try Self.picture(.yard, "GREY:\(size)", [Self.day])
        #expect(Set(grey).count > 100)
        for (format, step, first) in [("YUYV", 2, 0), ("Y16", 2, 1), ("NV12", 1, 0)] {
            let (pixels, row) = (try Self.picture(.yard, "\(format):\(size)", [Self.day]), layout.size.width)
            let stride = try Self.layout("\(format):\(size)").bytesPerRow
            let luma = (0..<layout.size.area).map { pixels[$0 / row * stride + $0 % row * step + first] }
            #expect(luma == grey, "\(format)")
        }
    }

    @Test(arguments: ["MJPG", "BA81", "GBRG", "GRBG", "RGGB"], ["320x180", "322x182"])
    func `a device delivers a scene in the other formats`(_ format: String, _ size: String) async throws {
        let bytes = try await DeviceStage.perform {
            let open = try OpenDevice.streaming(TestDevice(pattern: "\(format):\(size)@100,scene=workshop"))
            return try open.nextFrame().copiedBytes()
        }
        #expect(Set(bytes).count > 100)
    }

    @Test func `follows brightness and the privacy shutter`() throws {
        let usual = try Self.picture(.yard, "GREY:320x180", [Self.day])
        let bright = try Self.picture(.yard, "GREY:320x180", [Self.day], look: PatternLook(brightness: 168))
        #expect(zip(usual, bright).allSatisfy { $0 <= $1 } && usual != bright)
        let shut = try Self.picture(.yard, "GREY:320x180", [Self.day], look: PatternLook(isDark: true))
        #expect(shut.allSatisfy { $0 == 0 })
    }

    @Test func `somebody crosses within the first ten seconds`() {
        for scene in PatternScene.allCases {
            #expect(scene.crossing(at: 0) == nil)
            let present = (0..<100).filter { scene.crossing(at: Double($0) / 10) != nil }
            #expect(present.count > 40, "\(scene)")
        }
    }
}
