// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

extension RealDeviceTests {
    /// Inputs, standards, timings and crop on vivid, which simulates signals through its controls.
    @Suite(.requiresVirtualMachine, .serialized) struct V4L2InputVirtualMachineTests {
        /// Runs `body` with the device of this name on a device thread.
        private func with(_ name: String, _ body: @escaping @Sendable (TestDevice) throws -> Void) async throws {
            let found = TestDevice.hardware.first { $0.testDescription.hasPrefix(name + " ") }
            let device = try #require(found, "no device \(name)")
            try await DeviceStage.perform { try body(device) }
        }

        /// Returns the error of opening the device with this input.
        private static func refusal(_ device: TestDevice, _ input: InputWish = InputWish()) -> DeviceError? {
            #expect(throws: DeviceError.self) { _ = try OpenDevice(device, wish: FormatWish(), input: input) }
        }

        /// Sets controls of a vivid device from another program.
        private static func control(_ device: TestDevice, _ setting: String) throws {
            _ = try v4l2ctl(device, "--set-ctrl", setting)
        }

        /// Returns the output of v4l2-ctl for the device.
        private static func v4l2ctl(_ device: TestDevice, _ arguments: String...) throws -> String {
            let output = try ProgramOutput(of: ["v4l2-ctl", "--device", try #require(device.path)] + arguments)
            try #require(output.status == 0, "v4l2-ctl \(arguments): \(output.errors)")
            return output.text
        }

        @Test(arguments: [(1, SignalFault.noSignal), (2, .noLock), (3, .outOfRange)])
        func `a digital input reports its signal fault until the signal is back`(
            _ mode: Int,
            _ fault: SignalFault
        ) async throws {
            try await with("vivid-hdmi") { device in
                try Self.control(device, "dv_timings_signal_mode=\(mode)")
                let error = Self.refusal(device)
                try Self.control(device, "dv_timings_signal_mode=0")
                #expect(error?.problem.code == .noSignal)
                #expect(error?.problem.cause == fault)
                let open = try OpenDevice(device, wish: FormatWish())
                #expect(open.input?.timings?.hasPrefix("1280x720p") == true, "\(open.input?.timings ?? "none")")
                #expect(open.granted.format.size == FrameSize(width: 1280, height: 720))
            }
        }

        @Test func `a returning signal raises an event on a device that is not streaming`() async throws {
            try await with("vivid-hdmi") { device in
                defer { try? Self.control(device, "dv_timings_signal_mode=0") }
                try Self.control(device, "dv_timings_signal_mode=1")
                let open = try device.open()
                let error = #expect(throws: DeviceError.self) { _ = try open.selectInput(InputWish()) }
                #expect(error?.problem.cause == .noSignal)
                #expect(open.tellsSourceChanges)
                #expect(!Waiting.hasEvent(open.descriptor))
                try Self.control(device, "dv_timings_signal_mode=0")
                #expect(Waiting.untilEvent(open.descriptor))
                #expect(try open.events() == [.sourceChanged])
                #expect(try open.selectInput(InputWish())?.hasSignal == true)
            }
        }

        @Test func `losing the signal while streaming raises one source change event`() async throws {
            try await with("vivid-hdmi") { device in
                defer { try? Self.control(device, "dv_timings_signal_mode=0") }
                let open = try OpenDevice(device, wish: FormatWish())
                _ = try open.device.start()
                _ = try open.nextFrame()
                #expect(try open.device.events().isEmpty)
                try Self.control(device, "dv_timings_signal_mode=1")
                #expect(Waiting.untilEvent(open.device.descriptor))
                #expect(try open.device.events() == [.sourceChanged])
                #expect(try open.device.events().isEmpty)
                open.device.stop()
                let error = #expect(throws: DeviceError.self) { _ = try open.device.selectInput(InputWish()) }
                #expect(error?.problem.cause == .noSignal)
            }
        }

        @Test func `opens with the size of the detected DV timings`() async throws {
            try await with("vivid-hdmi") { device in
                defer { try? Self.control(device, "dv_timings_signal_mode=0") }
                // Mode "Selected DV Timings"; the first entry of vivid's list is 640x480.
                try Self.control(device, "dv_timings_signal_mode=4")
                try Self.control(device, "dv_timings=0")
                let open = try OpenDevice(device, wish: FormatWish())
                #expect(open.input?.timings?.hasPrefix("640x480p") == true, "\(open.input?.timings ?? "none")")
                #expect(open.granted.format.size == FrameSize(width: 640, height: 480))
                _ = try open.device.start()
                #expect(try open.nextFrame().copiedBytes().count >= open.granted.layout.byteCount ?? .max)
                open.device.stop()
                // Restore 720p60, the driver's default.
                let index = try #require(try Self.index(of: "1280x720p60", in: device))
                try Self.control(device, "dv_timings=\(index)")
                let next = try OpenDevice(device, wish: FormatWish())
                #expect(next.granted.format.size == FrameSize(width: 1280, height: 720))
            }
        }

        /// Returns the index of these timings in the menu of vivid's control.
        private static func index(of timings: String, in device: TestDevice) throws -> Int? {
            let lines = try v4l2ctl(device, "--list-ctrls-menus").split(separator: "\n")
            let number = lines.first { $0.hasSuffix(": \(timings)") }?.split(separator: ":").first
            return number.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        }

        @Test(arguments: [("PAL", 576), ("NTSC", 480), ("pal-bg", 576)])
        func `selects the named analogue standard`(_ standard: String, _ rows: Int) async throws {
            try await with("vivid-tv") { device in
                let open = try OpenDevice(device, wish: FormatWish(), input: InputWish(standard: standard))
                #expect(open.input?.standard?.lowercased() == standard.lowercased())
                #expect(open.granted.format.size == FrameSize(width: 720, height: rows))
                _ = try open.device.start()
                #expect(try open.nextFrame().copiedBytes().count >= open.granted.layout.byteCount ?? .max)
            }
        }

        @Test func `the standard auto selects the detected one`() async throws {
            try await with("vivid-tv") { device in
                defer { try? Self.control(device, "standard_signal_mode=0") }
                _ = try OpenDevice(device, wish: FormatWish(), input: InputWish(standard: "NTSC"))
                // Mode "Selected Standard"; the menu begins with NTSC and has PAL from 5 on.
                try Self.control(device, "standard_signal_mode=4")
                try Self.control(device, "standard=5")
                let open = try OpenDevice(device, wish: FormatWish(), input: InputWish(standard: "auto"))
                #expect(open.input?.standard?.hasPrefix("PAL") == true, "\(open.input?.standard ?? "none")")
                #expect(open.granted.format.size == FrameSize(width: 720, height: 576))
            }
        }

        @Test(arguments: [(1, SignalFault.noSignal), (2, .noLock)])
        func `an analogue input reports its signal fault`(_ mode: Int, _ fault: SignalFault) async throws {
            try await with("vivid-tv") { device in
                try Self.control(device, "standard_signal_mode=\(mode)")
                let error = Self.refusal(device)
                try Self.control(device, "standard_signal_mode=0")
                #expect(error?.problem.cause == fault)
                _ = try OpenDevice(device, wish: FormatWish())
            }
        }

        @Test func `selects an input by number or name`() async throws {
            try await with("vivid-tv") { device in
                for (choice, index) in [
                    (InputChoice.name("hdmi 0"), 1), (.index(0), 0), (.index(1), 1), (.name("TV 0"), 0),
                ] {
                    let open = try OpenDevice(device, wish: FormatWish(), input: InputWish(input: choice))
                    #expect(open.input?.index == index)
                    #expect((open.input?.standard == nil) == (index == 1))
                    #expect((open.input?.timings == nil) == (index == 0))
                }
            }
        }

        @Test func `rejects an unknown input or standard with the available ones`() async throws {
            try await with("vivid-tv") { device in
                for choice in [InputChoice.index(9), .name("DVI")] {
                    let error = Self.refusal(device, InputWish(input: choice))
                    #expect(error?.problem.code == .configurationUnsupported)
                    #expect(error?.description.contains("only 0 (TV 0), 1 (HDMI 0)") == true)
                }
                let error = Self.refusal(device, InputWish(standard: "PAL-X"))
                #expect(error?.description.contains("no standard PAL-X, only NTSC") == true)
            }
        }

        @Test func `a crop lasts until the next opening`() async throws {
            let crop = try #require(CropRectangle("640x360+100+50"))
            try await with("vivid-hdmi") { device in
                let open = try OpenDevice(device, wish: FormatWish(), input: InputWish(crop: crop))
                #expect(open.granted.crop == crop)
                #expect(open.granted.format.size == crop.size)
                _ = try open.device.start()
                #expect(try open.nextFrame().copiedBytes().count >= open.granted.layout.byteCount ?? .max)
                open.device.stop()
                let whole = try OpenDevice(device, wish: FormatWish())
                #expect(whole.granted.crop == nil)
                #expect(whole.granted.format.size == FrameSize(width: 1280, height: 720))
            }
        }

        @Test func `rejects a crop on a device without crop support`() async throws {
            let crop = try #require(CropRectangle("64x48+0+0"))
            try await with("loopback-yuyv") { device in
                let error = Self.refusal(device, InputWish(crop: crop))
                #expect(error?.problem.code == .configurationUnsupported)
                #expect(error?.description.contains("64x48+0+0") == true)
            }
        }
    }
}
