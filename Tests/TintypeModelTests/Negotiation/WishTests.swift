// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct WishTests {
    private static let vga = FrameSize(width: 640, height: 480)

    @Test(arguments: [
        ("640x480", SizeWish.near(vga)), ("at least 640x480", .atLeast(vga)), ("at most 640x480", .atMost(vga)),
        ("exactly 640x480", .exactly(vga)),
    ])
    func `a size wish round-trips as text`(_ text: String, _ wish: SizeWish) {
        #expect(SizeWish(text) == wish)
        #expect(wish.description == text)
        #expect(wish.size == Self.vga)
    }

    @Test(arguments: ["", "640", "about 640x480", "at least", "at least  640x480", "exactly 0x1", "640x480 exactly"])
    func `rejects an invalid size wish`(_ text: String) { #expect(SizeWish(text) == nil) }

    @Test(arguments: ["30", "29.97", "at least 15", "exactly 30", "30000/1001", "exactly 30000/1001", "at least 0.5"])
    func `a rate wish round-trips as text`(_ text: String) throws {
        let wish = try #require(RateWish(text))
        #expect(try #require(RateWish(wish.description)).interval.rate == wish.interval.rate)
        #expect(wish.description.hasPrefix(text.prefix { !$0.isNumber }))
    }

    @Test(arguments: ["", "0", "fast", "at most 30", "at least", "exactly 0", "1001"])
    func `rejects an invalid rate wish`(_ text: String) { #expect(RateWish(text) == nil) }

    @Test func `an exact rate tolerates only the rounding of USB intervals`() throws {
        let thirty = RateWish.exactly(FrameInterval(framesPerSecond: 30))
        #expect(thirty.isMet(by: try #require(FrameInterval(numerator: 333_333, denominator: 10_000_000))))
        #expect(!thirty.isMet(by: try #require(FrameInterval(rate: "30000/1001"))))
    }

    @Test func `a minimum rate is met by higher rates only`() {
        #expect(RateWish.atLeast(FrameInterval(framesPerSecond: 30)).isMet(by: FrameInterval(framesPerSecond: 60)))
        #expect(!RateWish.atLeast(FrameInterval(framesPerSecond: 30)).isMet(by: FrameInterval(framesPerSecond: 29)))
    }

    @Test func `an input is an index or a name`() {
        #expect(InputChoice("3") == .index(3))
        #expect(InputChoice("HDMI 0") == .name("HDMI 0"))
        for text in ["", "-1", "256", String(repeating: "x", count: 32), "a\nb"] { #expect(InputChoice(text) == nil) }
        #expect(InputChoice.index(3).description == "3")
    }

    @Test func `parses a crop as size, left and top`() {
        let crop = CropRectangle("640x480+100+50")
        #expect(crop == CropRectangle(size: Self.vga, left: 100, top: 50))
        #expect(crop?.description == "640x480+100+50")
        for text in ["", "640x480", "640x480+1", "640x480+1+2+3", "640x480+-1+2", "0x480+1+2", "640x480+1+70000"] {
            #expect(CropRectangle(text) == nil, "\(text)")
        }
    }

    @Test func `settings round-trip through JSON`() throws {
        let full = CameraSettings(
            format: FormatWish(
                preset: .photo,
                pixelFormats: [.mjpeg, .yuyv],
                size: .exactly(Self.vga),
                rate: .atLeast(FrameInterval(framesPerSecond: 15))
            ),
            input: InputWish(input: .name("TV"), standard: "PAL", crop: CropRectangle("64x48+1+2")),
            warmth: .linger(.seconds(30))
        )
        for settings in [full, CameraSettings()] {
            let bytes = try WireFormat.encode(settings)
            #expect(try WireFormat.decode(CameraSettings.self, from: bytes) == settings)
        }
    }

    @Test func `default settings encode only the warmth`() throws {
        #expect(String(decoding: try WireFormat.encode(CameraSettings()), as: UTF8.self) == #"{"warmth":"linger 10s"}"#)
    }

    @Test func `a format list has unique, supported formats`() {
        #expect(FourCC.list(["MJPG", "YUYV"]) == [.mjpeg, .yuyv])
        for names in [[], ["H264"], ["MJPG", "MJPG"], ["MJPG", "x-y-z"]] { #expect(FourCC.list(names) == nil) }
    }

    @Test(arguments: [
        (FrameSize(width: 70, height: 50), ["64x48", "64x56", "80x48", "80x56"]),
        (FrameSize(width: 80, height: 56), ["80x56"]), (FrameSize(width: 1, height: 1), ["64x48"]),
        (FrameSize(width: 9999, height: 9999), ["96x64"]),
    ])
    func `a stepwise range offers the sizes around a wish`(_ wish: FrameSize, _ sizes: [String]) {
        let range = FrameSizeDescription(from: (64, 48), to: (100, 64), step: (16, 8))
        #expect(range.sizes(around: wish).map(\.description) == sizes)
    }
}
