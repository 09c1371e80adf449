// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct ControlValuesTests {
    private func control(_ title: String, id: UInt32, flags: [ControlFlag] = [], value: ControlValue? = .integer(5))
        -> ControlDescription
    {
        var control = ControlDescription(id: id, title: title, controlClass: "user_controls", type: .integer)
        (control.maximum, control.flags, control.value) = (100, flags, value)
        return control
    }

    @Test(arguments: [
        ("Exposure Time, Absolute", "exposure_time_absolute"),
        ("White Balance, Auto & Preset", "white_balance_auto_preset"),
        ("  Gain ", "gain"), ("50 Hz/60 Hz", "50_hz_60_hz"), ("Größe", "gr_e"), ("---", ""),
    ])
    func `a title becomes a key of letters, digits and underscores`(_ title: String, _ name: String) {
        #expect(ControlName.key(of: title) == name)
    }

    @Test func `finds a control by spelling, legacy name and number`() {
        let controls = [
            control("Auto Exposure", id: ControlNumber.autoExposure), control("Gain", id: ControlNumber.gain),
        ]
        for name in ["auto_exposure", "Auto-Exposure", "exposure_auto", "exposure-auto", "0x009a0901", "10094849"] {
            #expect(controls.control(named: name)?.id == ControlNumber.autoExposure, "\(name)")
        }
        #expect(controls.control(named: "gains") == nil)
        #expect(controls.control(named: "") == nil)
        #expect(controls.control(named: "0x1") == nil)
    }

    @Test func `controls with equal or empty titles get unique names`() {
        let controls = [control("Gain", id: 1), control("Gain", id: 0x2F), control("--", id: 3)].withUniqueNames
        #expect(controls.map(\.name) == ["gain", "gain_2f", "control_3"])
    }

    @Test func `merging replaces a wish under any of its names`() {
        let old = ControlSettings(["exposure_auto": .integer(1), "gain": .integer(2), "hue": .integer(3)])
        let merged = old.merging(ControlSettings(["auto-exposure": .integer(3), "Gain": .integer(4)]))
        #expect(merged.values == ["auto-exposure": .integer(3), "Gain": .integer(4), "hue": .integer(3)])
    }

    @Test func `a saved profile has only persistent, writable controls`() {
        let controls = [
            control("Gain", id: ControlNumber.gain), control("A", id: 2, flags: [.readOnly]),
            control("B", id: 3, flags: [.inactive]), control("C", id: 4, flags: [.volatile]),
            control("D", id: 5, flags: [.writeOnly], value: nil), control("E", id: 6, flags: [.disabled]),
            control("Privacy", id: ControlNumber.privacy), control("F", id: 7, flags: [.grabbed, .update]),
        ]
        #expect(ControlSettings(of: controls).values == ["gain": .integer(5), "f": .integer(5)])
    }

    @Test func `differences list only the wishes that do not hold`() {
        let controls = [control("Gain", id: ControlNumber.gain), control("Hue", id: 3, flags: [.inactive])]
        let wishes = ControlSettings(["gain": .text("5%"), "hue": .integer(9), "nothing": .integer(1)])
        let differences = wishes.differences(from: controls)
        #expect(differences.map(\.name) == ["hue", "nothing"])
        #expect(differences[0].wanted == .integer(9) && differences[0].value == .integer(5))
        #expect(differences[0].detail?.contains("automatic") == true)
        #expect(differences[1].detail?.contains("no such control") == true)
    }

    @Test func `a difference quotes a value that cannot be set`() {
        let controls = [control("Gain", id: ControlNumber.gain)]
        let wrong = ControlSettings(["gain": .text("much")]).differences(from: controls)
        #expect(wrong.first?.detail?.contains("much") == true)
    }

    @Test func `control values keep their type in JSON`() throws {
        let settings = ControlSettings(["a": .integer(-3), "b": .boolean(true), "c": .text("50%"), "d": .integer(1)])
        let json = try WireFormat.encode(settings)
        #expect(String(decoding: json, as: UTF8.self) == #"{"a":-3,"b":true,"c":"50%","d":1}"#)
        #expect(try WireFormat.decode(ControlSettings.self, from: json) == settings)
    }

    @Test func `typed text becomes an integer only if it is one`() {
        #expect(ControlValue(written: "12") == .integer(12))
        #expect(ControlValue(written: "on") == .text("on"))
        #expect(ControlValue(written: "1.5") == .text("1.5"))
    }

    @Test func `a control description round-trips through JSON`() throws {
        var menu = ControlWishTests.mode
        menu.value = .integer(3)
        menu.flags = [.update, .inactive]
        for control in [menu, ControlWishTests.exposure, ControlWishTests.text, ControlWishTests.wide] {
            let json = try WireFormat.encode(control)
            #expect(try WireFormat.decode(ControlDescription.self, from: json) == control)
        }
    }

    @Test func `a menu control without items has an empty menu in JSON, and others have none`() throws {
        for (type, hasMenu) in [(ControlType.menu, true), (.integerMenu, true), (.integer, false)] {
            let control = ControlDescription(id: 1, title: "Mode", controlClass: "User Controls", type: type)
            let json = String(decoding: try WireFormat.encode(control), as: UTF8.self)
            #expect(json.contains(#""menu":[]"#) == hasMenu, "\(json)")
        }
    }

    @Test func `a menu control has the name of its current item`() {
        var menu = ControlWishTests.mode
        menu.value = .integer(3)
        #expect(menu.choice == "Aperture Priority Mode")
    }

    @Test func `absolute exposure has a unit of 100 microseconds`() {
        #expect(ControlWishTests.exposure.unit == "100 µs")
    }
}
