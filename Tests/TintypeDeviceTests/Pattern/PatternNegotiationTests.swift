// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeSystem

struct PatternNegotiationTests {
    private func open<R: Sendable>(
        _ pattern: String,
        _ wish: FormatWish = FormatWish(),
        input: InputWish = InputWish(),
        _ body: @escaping @Sendable (OpenDevice) throws -> R
    ) async throws -> R {
        try await DeviceStage.perform { try body(OpenDevice(TestDevice(pattern: pattern), wish: wish, input: input)) }
    }

    @Test(arguments: [
        ("1920x1080", "YUYV:640x480@30"), ("320x240", "YUYV:320x240@15"), ("exactly 640x480", "YUYV:640x480@30"),
    ])
    func `grants one of several sizes at its own rate`(_ size: String, _ granted: String) async throws {
        let pattern = "YUYV:640x480@30,also=YUYV:320x240@15"
        let wish = FormatWish(size: SizeWish(size))
        #expect(try await open(pattern, wish) { $0.granted.format.description } == granted)
    }

    @Test func `delivers frames in each of several formats`() async throws {
        for format in [FourCC.yuyv, .mjpeg, .grey] {
            let wish = FormatWish(pixelFormats: [format])
            try await open("YUYV:64x48@100,also=MJPG:64x48@100,also=GREY:64x48@100", wish) { open in
                #expect(open.granted.format.pixelFormat == format)
                _ = try open.device.start()
                let bytes = try open.nextFrame().copiedBytes()
                if let count = open.granted.layout.byteCount {
                    #expect(bytes.count == count)
                } else {
                    #expect(bytes.starts(with: [0xFF, 0xD8]))
                }
            }
        }
    }

    @Test(arguments: [
        ("at least 70x50", "80x56"), ("at most 79x55", "64x48"), ("640x480", "640x480"), ("9x9", "64x48"),
    ])
    func `fits the size to a stepwise range`(_ size: String, _ granted: String) async throws {
        let wish = FormatWish(size: SizeWish(size))
        #expect(try await open("GREY:640x480@30,sizes=64x48/16x8", wish) { "\($0.granted.format.size)" } == granted)
    }

    @Test func `a continuous range grants any size`() async throws {
        let wish = FormatWish(size: .exactly(FrameSize(width: 333, height: 77)))
        try await open("GREY:640x480@100,sizes=16x16", wish) { open in
            _ = try open.device.start()
            #expect(try open.nextFrame().copiedBytes().count == 333 * 77)
        }
    }

    @Test func `frames have the granted format instead of the requested one`() async throws {
        try await open("YUYV:640x480@30,grants=GREY:64x48@50") { open in
            #expect(open.asked.description == "YUYV:640x480@30")
            #expect(open.granted.format.description == "GREY:64x48@50")
            _ = try open.device.start()
            #expect(try open.nextFrame().copiedBytes().count == 64 * 48)
        }
    }

    @Test(arguments: ["GREY:320x200@100,crops", "YUYV:320x200@100,crops"])
    func `a crop shows its part of the picture`(_ pattern: String) async throws {
        let crop = try #require(CropRectangle("100x40+200+144"))
        func frame(_ input: InputWish) async throws -> (bytes: [UInt8], granted: GrantedFormat) {
            try await open(pattern, input: input) { open in
                _ = try open.device.start()
                return (try open.nextFrame().copiedBytes(), open.granted)
            }
        }
        let (whole, part) = (try await frame(InputWish()), try await frame(InputWish(crop: crop)))
        #expect(part.granted.crop == crop)
        #expect(part.granted.format.size == crop.size)
        let stride = part.granted.layout.bytesPerRow
        func row(_ number: Int) -> ArraySlice<UInt8> { part.bytes[number * stride..<(number + 1) * stride] }
        #expect(part.bytes.count == stride * 40)
        // Rows from 150 on hold a ramp that is constant over time; the rows above hold bars.
        let depth = stride / 100
        for number in 150..<184 {
            let from = number * whole.granted.layout.bytesPerRow + 200 * depth
            #expect(whole.bytes[from..<from + 100 * depth] == row(number - 144))
        }
        #expect(row(5) != row(6))
        #expect(row(6) == row(7))
    }

    @Test func `fits a crop into the picture`() async throws {
        let wish = InputWish(crop: CropRectangle("101x500+300+50"))
        let granted = try await open("GREY:320x96@100,crops", input: wish) { $0.granted }
        #expect(granted.crop?.description == "100x96+220+0")
    }

    @Test(arguments: [
        ("YUYV:64x48", InputWish(crop: CropRectangle("8x8+0+0")), "cannot deliver the part 8x8+0+0"),
        ("YUYV:64x48", InputWish(input: .index(0)), "has no inputs, and 0 is asked for"),
        ("YUYV:64x48,input=TV,input=HDMI", InputWish(input: .name("DVI")), "no input DVI, only 0 (TV), 1 (HDMI)"),
        ("YUYV:64x48,input=TV", InputWish(standard: "PAL"), "no standards"),
    ])
    func `rejects an unavailable crop, input or standard`(
        _ pattern: String,
        _ wish: InputWish,
        _ words: String
    ) async {
        let error = await #expect(throws: DeviceError.self) { try await open(pattern, input: wish) { _ in } }
        #expect(error?.problem.code == .configurationUnsupported)
        #expect(error?.description.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func `selects an input by number or name`() async throws {
        let pattern = "YUYV:64x48,input=TV,input=HDMI:no-lock,input=DVI:out-of-range"
        for choice in [nil, InputChoice.index(0), .name("tv")] {
            let input = try await open(pattern, input: InputWish(input: choice)) { $0.input }
            #expect(input == InputStatus(index: 0, name: "TV"))
        }
    }

    @Test func `an input without a signal reports its fault`() async throws {
        let pattern = "YUYV:64x48,input=TV,input=HDMI:no-lock,input=DVI:out-of-range"
        for (choice, fault) in [(InputChoice.name("HDMI"), SignalFault.noLock), (.index(2), .outOfRange)] {
            let error = await #expect(throws: DeviceError.self) {
                try await open(pattern, input: InputWish(input: choice)) { _ in }
            }
            #expect(error?.problem.cause == fault)
        }
    }

    @Test func `a source change raises one event and changes the size`() async throws {
        let sourceChange = OnceFlag()
        try await DeviceStage.perform {
            let spec = try PatternSpec("GREY:64x48@200,change-after=3:32x16")
            let calls = DriverCalls(clock: TestClock())
            let device = try PatternDevice(spec, name: "pattern", calls: calls, sourceChange: sourceChange)
            _ = try device.configure(device.currentFormat(), crop: nil)
            _ = try device.start()
            var frames = 0
            var events: [DeviceEvent] = []
            while events.isEmpty {
                #expect(Waiting.untilReadable(device.descriptor))
                var drain = try device.dequeue()
                if drain.newest.take() != nil { frames += 1 }
                if drain.hasEvents { events = try device.events() }
            }
            #expect(frames == 3)
            #expect(events == [.sourceChanged])
            #expect(try device.events().isEmpty)
            let next = try PatternDevice(spec, name: "pattern", calls: calls, sourceChange: sourceChange)
            #expect(try next.currentFormat().size == FrameSize(width: 32, height: 16))
        }
    }
}
