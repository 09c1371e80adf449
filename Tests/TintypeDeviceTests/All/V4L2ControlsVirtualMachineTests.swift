// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeDevice

extension RealDeviceTests {
    /// Controls of a real driver: vivid has every type, automatics and control events.
    @Suite(.requiresVirtualMachine, .serialized) struct V4L2ControlsVirtualMachineTests {
        /// Runs `body` with vivid's webcam, open but not streaming, and restores its control defaults afterwards.
        private func withVivid(_ body: @escaping @Sendable (V4L2Device, DeviceControls) throws -> Void) async throws {
            let test = try #require(TestDevice.hardware.first { $0.testDescription.hasPrefix("vivid-webcam") })
            let path = try #require(test.path)
            try await DeviceStage.perform {
                let device = try V4L2Device(path: path, calls: DriverCalls())
                let controls = DeviceControls(of: device)
                defer { _ = try? controls.restoreDefaults() }
                try body(device, controls)
            }
        }

        @Test func `lists vivid's controls of every type with their values`() async throws {
            try await withVivid { _, controls in
                let all = try controls.all()
                #expect(all.count > 50)
                #expect(Set(all.map(\.type)) == Set(ControlType.allCases))
                #expect(Set(all.map(\.name)).count == all.count)
                #expect(Set(all.map(\.controlClass)).isSuperset(of: ["user_controls", "vivid_controls"]))
                for control in all where control.isSettable || control.has(.readOnly) {
                    #expect(control.type == .compound || control.value != nil, "\(control.name)")
                }
                let brightness = try #require(all.control(named: "brightness"))
                #expect(brightness.minimum == 0 && brightness.maximum == 255 && brightness.step == 1)
                let menu = try #require(all.control(named: "menu"))
                #expect(!menu.menu.isEmpty && menu.choice != nil)
                #expect(all.control(named: "button")?.value == nil)
                let matrix = ControlElements(type: "u16", bytes: 2, count: 128, dimensions: [8, 16])
                #expect(all.control(named: "u16_8x16_matrix")?.elements == matrix)
                #expect(all.control(named: "u8_pixel_array")?.elements?.dimensions.count == 2)
                #expect(all.filter { $0.type == .compound }.allSatisfy { $0.elements != nil })
            }
        }

        @Test func `sets and reads back values of every type in one request`() async throws {
            try await withVivid { _, controls in
                let settings = ControlSettings([
                    "boolean": .boolean(false), "integer_32_bits": .integer(-77), "integer_64_bits": .integer(1 << 40),
                    "menu": .integer(4), "string": .text("abc"), "bitmask": .text("0x80000000"),
                    "integer_menu": .integer(5), "button": .boolean(true), "brightness": .integer(1000),
                    "u8_pixel_array": .integer(1), "nothing_of_the_kind": .integer(1),
                ])
                let outcomes = try controls.apply(settings)
                let fulfilled = outcomes.filter(\.isFulfilled).map(\.name)
                #expect(
                    fulfilled == [
                        "bitmask", "boolean", "brightness", "button", "integer_32_bits", "integer_64_bits",
                        "integer_menu", "menu", "string",
                    ],
                    "\(outcomes)"
                )
                let all = try controls.all()
                #expect(all.control(named: "integer_64_bits")?.value == .integer(1 << 40))
                #expect(all.control(named: "string")?.value == .text("abc"))
                #expect(all.control(named: "bitmask")?.value == .integer(0x8000_0000))
                #expect(all.control(named: "brightness")?.value == .integer(255))
                #expect(outcomes.first { $0.name == "brightness" }?.result == .clamped)
                #expect(outcomes.first { $0.name == "nothing_of_the_kind" }?.result == .unknown)
            }
        }

        @Test func `gain is set only with automatic gain off`() async throws {
            try await withVivid { _, controls in
                let both = ControlSettings(["gain": .integer(33), "gain_automatic": .boolean(false)])
                #expect(try controls.apply(both).map(\.result) == [.applied, .applied])
                #expect(try controls.all().control(named: "gain")?.value == .integer(33))
                _ = try controls.apply(ControlSettings(["gain_automatic": .text("auto")]))
                let alone = try controls.apply(ControlSettings(["gain": .integer(44)]))
                #expect(alone.map(\.result) == [.inactive])
            }
        }

        @Test func `rejects a value for a read-only control`() async throws {
            try await withVivid { _, controls in
                let readOnly = try #require(try controls.all().first { $0.has(.readOnly) && $0.type == .integer })
                let outcomes = try controls.apply(ControlSettings([readOnly.name: .integer(1)]))
                #expect(outcomes.map(\.result) == [.readOnly])
            }
        }

        @Test func `restores the defaults of all settable controls`() async throws {
            try await withVivid { _, controls in
                _ = try controls.apply(ControlSettings(["contrast": .integer(3), "hue": .integer(9)]))
                let restored = try controls.restoreDefaults()
                #expect(Set(restored.map(\.name)).isSuperset(of: ["contrast", "hue"]))
                for control in try controls.all() where control.isSettable && control.standard != nil {
                    #expect(control.value == control.standard, "\(control.name)")
                }
            }
        }

        @Test func `reports the new flags of gain when another program switches automatic gain`() async throws {
            try await withVivid { device, controls in
                _ = try controls.apply(ControlSettings(["gain_automatic": .boolean(true)]))
                let list = try controls.lasting()
                controls.watch(list)
                let gain = try #require(list.control(named: "gain"))
                #expect(gain.has(.inactive) && gain.has(.volatile) && gain.value == nil)
                let other = DeviceControls(of: try V4L2Device(path: device.identity.path, calls: DriverCalls()))
                for isAutomatic in [false, true] {
                    _ = try other.apply(ControlSettings(["gain_automatic": .boolean(isAutomatic)]))
                    let events = try device.events()
                    let isTold = events.contains { event in
                        if case .controlChanged(gain.id, _, isRedefined: true) = event { true } else { false }
                    }
                    #expect(isTold, "\(events)")
                    #expect(try controls.refreshed(gain).has(.inactive) == isAutomatic)
                }
            }
        }

        @Test func `only changes by other programs raise control events`() async throws {
            try await withVivid { device, controls in
                controls.watch(try controls.lasting())
                _ = try controls.apply(ControlSettings(["brightness": .integer(50)]))
                #expect(try device.events().isEmpty)
                let other = try V4L2Device(path: device.identity.path, calls: DriverCalls())
                _ = try DeviceControls(of: other).apply(ControlSettings(["brightness": .integer(60)]))
                let events = try device.events()
                let id = ControlNumber.brightness
                let isTold = events.contains { if case .controlChanged(id, 60, _) = $0 { true } else { false } }
                #expect(isTold, "\(events)")
            }
        }
    }
}
