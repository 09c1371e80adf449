// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

struct CaptureFormatTests {
    @Test(arguments: [("1x1", 1, 1), ("1280x720", 1280, 720), ("65535x65535", 65_535, 65_535)])
    func `parses a frame size`(_ text: String, _ width: Int, _ height: Int) {
        #expect(FrameSize(text) == FrameSize(width: width, height: height))
        #expect(FrameSize(width: width, height: height).description == text)
    }

    @Test(arguments: ["", "x", "1280", "1280x", "0x1", "1x0", "65536x1", "-1x1", "1280X720", "1x2x3", " 1x1", "1.5x2"])
    func `rejects an invalid frame size`(_ text: String) { #expect(FrameSize(text) == nil) }

    @Test(arguments: [
        ("30", UInt32(1), UInt32(30), "30"), ("29.97", 1000, 29_970, "29.97"), ("30000/1001", 1001, 30_000, "29.97"),
        ("0.5", 1000, 500, "0.5"), ("1000", 1, 1000, "1000"), ("7.5", 1000, 7500, "7.5"), ("1/2", 2, 1, "0.5"),
    ])
    func `parses a frame rate`(_ text: String, _ numerator: UInt32, _ denominator: UInt32, _ written: String) {
        let interval = FrameInterval(rate: text)
        #expect(interval == FrameInterval(numerator: numerator, denominator: denominator))
        #expect(interval?.description == written)
    }

    @Test(arguments: [
        "", "0", "-1", "1001", "1001.5", "0/1", "1/0", "30/", "1/2/3", "fast", "inf", "nan", "0.0001",
        "1/3601", "1/4294967295",
    ])
    func `rejects an invalid frame rate`(_ text: String) { #expect(FrameInterval(rate: text) == nil) }

    @Test func `an interval has its duration in nanoseconds`() {
        #expect(FrameInterval(framesPerSecond: 30).duration == .nanoseconds(33_333_333))
        #expect(FrameInterval(numerator: 3600, denominator: 1)?.duration == .seconds(3600))
    }

    @Test func `zero frames per second become one`() {
        #expect(FrameInterval(framesPerSecond: 0).rate == 1)
    }

    @Test func `rejects an interval of zero or of overflowing duration`() {
        #expect(FrameInterval(numerator: 0, denominator: 1) == nil)
        #expect(FrameInterval(numerator: 1, denominator: 0) == nil)
        // Sent by drivers that do not know the interval; ten times this overflows a timestamp.
        #expect(FrameInterval(numerator: .max, denominator: 1) == nil)
    }

    @Test func `a format is encoded flat with its rate`() throws {
        let format = CaptureFormat(
            pixelFormat: .yuyv,
            size: FrameSize(width: 640, height: 480),
            interval: FrameInterval(framesPerSecond: 25)
        )
        let json = try WireFormat.encode(format)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"height":480,"interval":{"denominator":25,"numerator":1},"pixelFormat":"YUYV","rate":25,"width":640}"#
        )
        #expect(try WireFormat.decode(CaptureFormat.self, from: json) == format)
        #expect(format.description == "YUYV:640x480@25")
    }

    @Test(arguments: [
        ((100, 100), (160, 120)), ((5000, 5000), (1280, 960)), ((640, 480), (640, 480)), ((647, 481), (640, 480)),
        ((648, 482), (656, 484)), ((1279, 959), (1280, 960)),
    ])
    func `a stepwise range yields its nearest size`(_ wish: (Int, Int), _ got: (Int, Int)) {
        let range = FrameSizeDescription(from: (160, 120), to: (1280, 960), step: (16, 4))
        let nearest = range.nearest(to: FrameSize(width: wish.0, height: wish.1))
        #expect(nearest == FrameSize(width: got.0, height: got.1))
    }

    @Test func `the nearest size stays below a maximum off the steps`() {
        let range = FrameSizeDescription(from: (10, 10), to: (25, 25), step: (10, 10))
        #expect(range.nearest(to: FrameSize(width: 99, height: 99)) == FrameSize(width: 20, height: 20))
    }

    @Test func `a discrete size is its own nearest size`() {
        let discrete = FrameSizeDescription(size: FrameSize(width: 64, height: 48), intervals: [])
        #expect(discrete.nearest(to: FrameSize(width: 1, height: 1)) == FrameSize(width: 64, height: 48))
    }

    @Test(arguments: [
        (FourCC.yuyv, 5, 3, 12, 36), (.grey, 5, 3, 5, 15), (.nv12, 5, 3, 6, 30), (.nv21, 4, 4, 4, 24),
        (.yu12, 5, 3, 5, 27), (.yv12, 4, 4, 4, 24), (.yuv422p, 5, 3, 5, 33), (.rgb24, 5, 3, 15, 45),
        (.xbgr32, 5, 3, 20, 60), (.vyuy, 5, 3, 12, 36), (.nv16, 5, 3, 6, 36), (.nv61, 4, 4, 4, 32),
        (.rgb32, 5, 3, 20, 60), (.y10, 5, 3, 10, 30), (.y12, 4, 4, 8, 32),
    ])
    func `a layout has the byte count of its rows and planes`(
        _ format: FourCC,
        _ width: Int,
        _ height: Int,
        _ row: Int,
        _ bytes: Int
    ) {
        var layout = PictureLayout(format, FrameSize(width: width, height: height))
        #expect(layout.minimumBytesPerRow == row && layout.bytesPerRow == row)
        #expect(layout.byteCount == bytes)
        layout.bytesPerRow = row + 64
        #expect((layout.byteCount ?? 0) >= bytes + 64 * height)
    }
}

extension FrameSizeDescription {
    /// Creates a range of sizes without rates.
    init(from minimum: (Int, Int), to maximum: (Int, Int), step: (Int, Int)) {
        let sizes = [minimum, maximum, step].map { FrameSize(width: $0.0, height: $0.1) }
        self.init(minimum: sizes[0], maximum: sizes[1], step: sizes[2], intervals: [])
    }
}
