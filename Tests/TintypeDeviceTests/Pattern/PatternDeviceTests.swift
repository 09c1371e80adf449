// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

struct PatternDeviceTests {
    private struct Picture: Sendable {
        let layout: PictureLayout
        let bytes: [UInt8]
        let stamp: FrameStamp
    }

    private func picture(_ pattern: String, after count: Int = 1) async throws -> Picture {
        try await DeviceStage.perform {
            let open = try OpenDevice.streaming(TestDevice(pattern: pattern))
            for _ in 1..<count { _ = try open.nextFrame() }
            let lease = try open.nextFrame()
            return Picture(layout: open.granted.layout, bytes: lease.copiedBytes(), stamp: lease.stamp)
        }
    }

    private func rawLuma(_ picture: Picture) -> [UInt8] {
        let (size, stride) = (picture.layout.size, picture.layout.bytesPerRow)
        let step = picture.layout.pixelFormat == .yuyv ? 2 : 1
        return (0..<size.height).flatMap { row in (0..<size.width).map { picture.bytes[row * stride + $0 * step] } }
    }

    private func luma(ofJPEG jpeg: [UInt8]) throws -> (FrameSize, [UInt8]) {
        var decoder = JPEGDecoder()
        return try decoder.decodeLuma(jpeg.rawSpan)
    }

    @Test(arguments: [
        "YUYV:320x96@100", "NV12:320x96@100", "GREY:320x96@100", "YUYV:33x7@100", "NV12:35x9@100", "GREY:32x6@100",
        "YUYV:640x480@100,range=full", "NV12:1280x720@50,matrix=bt709",
    ])
    func `the code in raw luma matches the stamp of the frame`(_ pattern: String) async throws {
        let picture = try await picture(pattern, after: 3)
        let code = try #require(PatternCode(luma: rawLuma(picture), size: picture.layout.size))
        #expect(code.number == picture.stamp.sequence)
        #expect(code.microseconds == UInt64(picture.stamp.exposureStart.nanoseconds / 1000))
    }

    @Test(arguments: ["YUYV:320x96@100", "NV12:320x96@100", "GREY:320x96@100", "YUYV:320x96@100,range=full"])
    func `the code survives the JPEG encoding of a raw frame`(_ pattern: String) async throws {
        let picture = try await picture(pattern)
        var encoder = JPEGEncoder()
        let jpeg = try encoder.encode(picture.bytes.rawSpan, layout: picture.layout, quality: 90)
        let (size, luma) = try luma(ofJPEG: jpeg)
        let code = try #require(PatternCode(luma: luma, size: size))
        #expect(code.number == picture.stamp.sequence)
        #expect(code.microseconds == UInt64(picture.stamp.exposureStart.nanoseconds / 1000))
    }

    @Test(arguments: ["MJPG:320x96@50", "MJPG:320x96@50,no-dht", "MJPG:320x96@50,padding=777"])
    func `the code is readable in the camera's own JPEG after repair`(_ pattern: String) async throws {
        let picture = try await picture(pattern)
        var inspector = JPEGInspector()
        let bytes = picture.bytes.rawSpan
        let seen = JPEGInspection(bytes, expected: picture.layout.size, depth: .segments, with: &inspector)
        #expect(seen.faults.isEmpty)
        let jpeg = try #require(seen.whole).copied(from: bytes)
        let (size, luma) = try luma(ofJPEG: jpeg)
        #expect(PatternCode(luma: luma, size: size)?.number == picture.stamp.sequence)
    }

    @Test func `a damaged or too small picture has no code`() async throws {
        let picture = try await picture("GREY:320x96@100")
        var luma = rawLuma(picture)
        let at = 4 * 320 + 4
        luma[at] = 255 - luma[at]
        #expect(PatternCode(luma: luma, size: picture.layout.size) == nil)
        #expect(PatternCode(luma: [], size: picture.layout.size) == nil)
        #expect(PatternCode(luma: [UInt8](repeating: 0, count: 31 * 6), size: FrameSize(width: 31, height: 6)) == nil)
        #expect(PatternCode.cellSize(for: FrameSize(width: 512, height: 96)) == 16)
        #expect(PatternCode.cellSize(for: FrameSize(width: 511, height: 96)) == 8)
    }

    @Test func `the picture changes between frames`() async throws {
        let (first, second) = (try await picture("GREY:320x180@100"), try await picture("GREY:320x180@100", after: 5))
        // Rows below the code and the clock.
        let from = 112 * 320
        #expect(first.bytes[from...] != second.bytes[from...])
    }

    @Test(arguments: ["GREY:320x96@100", "YUYV:320x96@100", "NV12:320x96@100", "MJPG:320x96@100"])
    func `a frozen picture is constant and not black`(_ pattern: String) async throws {
        let (first, later) = try await DeviceStage.perform {
            let open = try OpenDevice.streaming(TestDevice(pattern: pattern + ",frozen"))
            let first = try open.nextFrame()
            let later = try open.nextFrame()
            #expect(first.stamp.sequence < later.stamp.sequence)
            return (first.copiedBytes(), later.copiedBytes())
        }
        #expect(first == later)
        let black = try await picture(pattern + ",dark", after: 2)
        #expect(black.bytes != first)
        guard !black.layout.pixelFormat.isJPEG else { return }
        #expect(rawLuma(black).allSatisfy { $0 == 16 })
    }

    @Test func `the faults file turns the picture dark`() async throws {
        try await withTemporaryFolder { folder in
            let bytes = try await DeviceStage.perform {
                let open = try OpenDevice.streaming(TestDevice(pattern: "GREY:320x96@100,faults=\(folder)/faults"))
                let bright = try open.nextFrame()
                try Data("dark".utf8).write(to: URL(filePath: folder + "/faults"))
                let dark = try open.nextFrame()
                return (bright.copiedBytes(), dark.copiedBytes())
            }
            #expect(bytes.0.contains { $0 != 16 })
            #expect(bytes.1.allSatisfy { $0 == 16 })
        }
    }

    @Test(arguments: ["control-busy=gain", "change-after=9:no-lock", "input=HDMI", "dark,shutter-after=3"])
    func `rejects a faults file with options it cannot apply`(_ text: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/faults"
            try Data(text.utf8).write(to: URL(filePath: path))
            let error = await #expect(throws: DeviceError.self) {
                try await DeviceStage.perform { _ = try OpenDevice(TestDevice(pattern: "YUYV,faults=\(path)")) }
            }
            #expect(error?.problem.code == .configurationUnsupported)
            #expect(error?.description.contains(path) == true)
        }
    }

    @Test func `the slow option stretches the frame interval`() async throws {
        let times = try await DeviceStage.perform {
            let open = try OpenDevice.streaming(TestDevice(pattern: "GREY:320x96@100,slow=5"))
            return (try open.nextFrame().stamp, try open.nextFrame().stamp)
        }
        let frames = Int64(times.1.sequence - times.0.sequence)
        #expect((times.1.exposureStart - times.0.exposureStart).nanosecondCount == frames * 50_000_000)
    }

    @Test(arguments: [
        ("YUYV,deny", ProblemCode.cameraDenied), ("YUYV,busy", .cameraBusy), ("YUYV,no-bandwidth", .usbBandwidth),
    ])
    func `an injected failure has the problem code of a real camera`(_ pattern: String, _ code: ProblemCode) async {
        let error = await #expect(throws: DeviceError.self) {
            try await DeviceStage.perform { _ = try OpenDevice.streaming(TestDevice(pattern: pattern)) }
        }
        #expect(error?.problem.code == code)
    }

    @Test func `drops frames while all buffers are lent`() async throws {
        try await DeviceStage.perform {
            let open = try OpenDevice(TestDevice(pattern: "GREY:64x48@200,buffers=2"))
            #expect(try open.device.start() == 2)
            let first = try open.nextFrame()
            let second = try open.nextFrame()
            #expect(Waiting.untilReadable(open.device.descriptor))
            let starved = try open.device.dequeue()
            #expect(starved.taken == 0)
            #expect(starved.gaps >= 1)
            first.end()
            #expect(try open.nextFrame().stamp.ordinal > second.stamp.ordinal)
        }
    }
}
