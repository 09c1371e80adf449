// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeDevice

/// The controls of recorded devices: listed, set, and set back from a profile.
struct RecordedControlTests {
    static let names: [String] = RecordedNegotiationTests.rows.map(\.device)

    private func controls(_ name: String) throws -> DeviceControls {
        DeviceControls(of: try RecordedDevices.device(name))
    }

    @Test(arguments: names)
    func `every recorded control is listed, under a name of its own`(_ name: String) throws {
        let all = try controls(name).all()
        let recorded = try RecordedDevices.record(name).controls.filter { $0.type.low != 6 }
        #expect(all.map(\.id) == recorded.map(\.id.low))
        #expect(Set(all.map(\.name)).count == all.count)
        for (control, raw) in zip(all, recorded) {
            #expect(control.title == raw.name)
            #expect(control.minimum == raw.minimum && control.maximum == raw.maximum)
            #expect(control.menu == raw.menu ?? [])
            if let value = raw.value, control.type != .boolean { #expect(control.value == value, "\(control.name)") }
        }
    }

    @Test(arguments: names)
    func `a profile of all controls is restored after each was changed`(_ name: String) throws {
        let controls = try controls(name)
        let before = try controls.all()
        let profile = ControlSettings(of: before)
        var changes = ControlSettings()
        for control in before where control.isSettable {
            switch control.type {
            case .boolean: changes.values[control.name] = .boolean(control.value == .boolean(false))
            case .menu, .integerMenu: changes.values[control.name] = .integer(control.menu.last?.index ?? 0)
            case .integer, .integer64:
                changes.values[control.name] = .integer(
                    control.value == .integer(control.maximum) ? control.minimum : control.maximum
                )
            case .string: changes.values[control.name] = .text(String(repeating: "x", count: Int(control.maximum)))
            case .bitmask: changes.values[control.name] = .integer(0)
            case .button, .compound: break
            }
        }
        let outcomes = try controls.apply(changes)
        #expect(outcomes.allSatisfy { [.applied, .clamped, .inactive].contains($0.result) }, "\(outcomes)")
        let restored = try controls.apply(profile)
        #expect(restored.allSatisfy { [.applied, .inactive].contains($0.result) }, "\(restored)")
        let after = try controls.all()
        for (one, other) in zip(before, after) where one.isSettable {
            #expect(one.value == other.value, "\(one.name)")
        }
        #expect(profile.differences(from: after).isEmpty, "\(profile.differences(from: after))")
    }

    @Test func `numbers of 64 bits and text keep every digit and byte, also in the JSON of a profile`() throws {
        let controls = try controls("vivid-webcam")
        let list = try controls.all()
        let long = try #require(list.control(named: "integer_64_bits"))
        let text = try #require(list.control(named: "string"))
        #expect(long.minimum == .min && long.maximum == .max)
        #expect(text.minimum == 2 && text.maximum == 4)
        for (number, word) in [(Int64.max, "ÄÖ"), (.min, "ab"), (1 << 53 + 1, "abcd"), (-1, "a\"b")] {
            let written = ControlSettings(["integer_64_bits": .integer(number), "string": .text(word)])
            let wishes = try WireFormat.decode(ControlSettings.self, from: WireFormat.encode(written))
            #expect(try controls.apply(wishes).map(\.result) == [.applied, .applied])
            let after = try controls.all()
            #expect(after.control(named: "integer_64_bits")?.value == .integer(number))
            #expect(after.control(named: "string")?.value == .text(word))
        }
        let refused = try controls.apply(ControlSettings(["string": .text("abcde")]))
        #expect(refused.first?.result == .refused)
        #expect(refused.first?.detail == "“abcde” is not text of 2 to 4 bytes in steps of 1.")
    }

    @Test func `arrays and structures tell their parts, and are not set`() throws {
        let controls = try controls("vivid-webcam")
        let elements = Dictionary(
            uniqueKeysWithValues: try controls.all().compactMap { control in
                control.elements.map { (control.name, $0) }
            }
        )
        #expect(
            elements == [
                "area": ControlElements(type: "area", bytes: 8, count: 1, dimensions: []),
                "u16_8x16_matrix": ControlElements(type: "u16", bytes: 2, count: 128, dimensions: [8, 16]),
                "u32_1_element_array": ControlElements(type: "u32", bytes: 4, count: 1, dimensions: [1]),
                "u32_dynamic_array": ControlElements(type: "u32", bytes: 4, count: 100, dimensions: [100]),
                "u8_2x3x4x5_array": ControlElements(type: "u8", bytes: 1, count: 120, dimensions: [2, 3, 4, 5]),
                "u8_pixel_array": ControlElements(type: "u8", bytes: 1, count: 920, dimensions: [23, 40]),
            ]
        )
        let outcomes = try controls.apply(
            ControlSettings(elements.mapValues { _ in .integer(16) })
        )
        #expect(outcomes.count == elements.count)
        for outcome in outcomes {
            #expect(outcome.result == .refused)
            #expect(outcome.detail == "It is an array or a structure, which tintype does not set.")
        }
    }

    @Test func `a manual value is set together with its switch, and rounded onto its steps`() throws {
        let controls = try controls("logitech-brio")
        #expect(try controls.all().control(named: "exposure_time_absolute")?.has(.inactive) == true)
        let alone = try controls.apply(ControlSettings(["exposure_time_absolute": .integer(100)]))
        #expect(alone.map(\.result) == [.inactive])
        let outcomes = try controls.apply(
            ControlSettings([
                "exposure_time_absolute": .text("10ms"), "auto_exposure": .text("manual"),
                "focus_absolute": .integer(12), "focus_automatic_continuous": .boolean(false),
            ])
        )
        let results = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.name, $0) })
        #expect(results["exposure_absolute"]?.value == .integer(100))
        #expect(results["exposure_auto"]?.value == .integer(1))
        #expect(results["focus_absolute"]?.value == .integer(10))
        #expect(results["focus_absolute"]?.result == .clamped)
        let after = try controls.all()
        #expect(after.control(named: "exposure_time_absolute")?.has(.inactive) == false)
        // Back to the automatic: the value is out of reach again.
        _ = try controls.apply(ControlSettings(["auto_exposure": .text("auto")]))
        #expect(try controls.all().control(named: "exposure_time_absolute")?.has(.inactive) == true)
    }

    @Test func `defaults outside of the range, as a LifeCam has them, are set as the nearest value`() throws {
        let controls = try controls("microsoft-lifecam-studio")
        let outcomes = try controls.restoreDefaults()
        let brightness = try #require(outcomes.first { $0.name == "brightness" })
        #expect(brightness.value == .integer(30))
        #expect(try controls.all().control(named: "contrast")?.value == .integer(10))
    }

    @Test func `a menu whose items have gaps takes no item that is missing`() throws {
        let controls = try controls("raspberry-pi-bcm2835")
        let outcomes = try controls.apply(
            ControlSettings(["scene_mode": .integer(3), "h264_profile": .integer(4), "rotate": .integer(100)])
        )
        let results = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.name, $0) })
        #expect(results["scene_mode"]?.result == .refused)
        #expect(results["h264_profile"]?.result == .applied)
        #expect(results["rotate"]?.value == .integer(90))
    }
}
