// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

struct ControlWishTests {
    /// Wish for a control and its resolved value; nil for a refusal with `words`.
    struct Case: CustomTestStringConvertible, Sendable {
        let control: ControlDescription
        let wish: ControlValue
        let value: ControlValue?
        let isClamped: Bool
        let words: String
        var testDescription: String { "\(control.name)=\(wish)" }

        init(_ control: ControlDescription, _ wish: String, _ value: ControlValue, clamped: Bool = false) {
            self.init(control, ControlValue.text(wish), value, clamped: clamped)
        }

        init(_ control: ControlDescription, _ wish: ControlValue, _ value: ControlValue, clamped: Bool = false) {
            (self.control, self.wish, self.value, isClamped, words) = (control, wish, value, clamped, "")
        }

        init(_ control: ControlDescription, _ wish: ControlValue, refused words: String) {
            (self.control, self.wish, value, isClamped, self.words) = (control, wish, nil, false, words)
        }
    }

    static func control(
        _ type: ControlType,
        _ range: ClosedRange<Int64> = 0...1,
        step: UInt64 = 1,
        id: UInt32 = 1,
        menu: [(Int64, String)] = [],
        default standard: Int64 = 0
    ) -> ControlDescription {
        var control = ControlDescription(id: id, title: type.rawValue, controlClass: "user_controls", type: type)
        (control.minimum, control.maximum, control.step) = (range.lowerBound, range.upperBound, step)
        control.defaultValue = standard
        control.menu = menu.map { ControlMenuItem(index: $0.0, name: $0.1) }
        return control
    }

    static let byte = control(.integer, 0...255, default: 128)
    static let stepped = control(.integer, -10...11, step: 5)
    static let wide = control(.integer64, .min ... .max)
    static let exposure = control(.integer, 3...2047, id: ControlNumber.exposureAbsolute)
    static let gain = control(.integer, 0...100, id: ControlNumber.gain)
    static let toggle = control(.boolean, default: 1)
    static let autoGain = control(.boolean, id: ControlNumber.autoGain)
    static let mode = control(
        .menu,
        0...3,
        id: ControlNumber.autoExposure,
        menu: [(1, "Manual Mode"), (3, "Aperture Priority Mode")],
        default: 3
    )
    static let numbers = control(.integerMenu, 0...2, menu: [(0, "100"), (2, "400")])
    static let bits = control(.bitmask, 0...0x7002)
    static let highBit = control(.bitmask, 0...0xFFFF_FFFF)
    static let text = control(.string, 2...6, step: 2)

    @Test(arguments: [
        Case(byte, .integer(7), .integer(7)), Case(byte, "7", .integer(7)), Case(byte, "0x10", .integer(16)),
        Case(byte, .integer(300), .integer(255), clamped: true), Case(byte, "-1", .integer(0), clamped: true),
        Case(byte, "50%", .integer(128)), Case(byte, "0 %", .integer(0)), Case(byte, "100%", .integer(255)),
        Case(byte, "12.5%", .integer(32)), Case(byte, "default", .integer(128)),
        Case(byte, .text("101%"), refused: "not a whole number or a part"), Case(byte, .boolean(true), refused: "on"),
        Case(byte, .text("1.5"), refused: "“1.5” is not a whole number"), Case(byte, .text("10ms"), refused: "10ms"),
        Case(byte, .text(""), refused: "“”"),
        Case(stepped, .integer(-7), .integer(-5), clamped: true),
        Case(stepped, .integer(-8), .integer(-10), clamped: true),
        Case(stepped, .integer(11), .integer(10), clamped: true), Case(stepped, .integer(5), .integer(5)),
        Case(stepped, "50%", .integer(0)),
        Case(wide, .integer(.max), .integer(.max)), Case(wide, .integer(.min), .integer(.min)),
        Case(wide, "0%", .integer(.min)), Case(wide, "100%", .integer(.max)),
        Case(exposure, "10ms", .integer(100)), Case(exposure, "250us", .integer(3), clamped: false),
        Case(exposure, "100µs", .integer(3), clamped: true), Case(exposure, "1/100s", .integer(100)),
        Case(exposure, "0.1 s", .integer(1000)), Case(exposure, "1s", .integer(2047), clamped: true),
        Case(exposure, "33", .integer(33)), Case(exposure, .text("10h"), refused: "not a duration"),
        Case(exposure, .text("1/0s"), refused: "not a duration"),
        Case(exposure, .text("auto"), refused: "set auto_exposure to auto"),
        Case(gain, .text("auto"), refused: "set gain_automatic to auto"),
        Case(toggle, .boolean(false), .boolean(false)), Case(toggle, "on", .boolean(true)),
        Case(toggle, "No", .boolean(false)),
        Case(toggle, .integer(1), .boolean(true)), Case(toggle, "default", .boolean(true)),
        Case(toggle, .integer(2), refused: "on or off"), Case(toggle, .text("auto"), refused: "on or off"),
        Case(autoGain, "auto", .boolean(true)), Case(autoGain, "manual", .boolean(false)),
        Case(mode, .integer(1), .integer(1)), Case(mode, "manual mode", .integer(1)),
        Case(mode, "MANUAL_MODE", .integer(1)),
        Case(mode, "auto", .integer(3)), Case(mode, "manual", .integer(1)), Case(mode, "default", .integer(3)),
        Case(mode, .integer(0), refused: "Manual Mode (1), Aperture Priority Mode (3)"),
        Case(mode, .text("shutter"), refused: "an item of its menu"), Case(mode, .boolean(true), refused: "an item"),
        Case(numbers, .integer(2), .integer(2)), Case(numbers, .integer(1), refused: "100 (0), 400 (2)"),
        Case(bits, "0x7002", .integer(0x7002)), Case(bits, .integer(0), .integer(0)),
        Case(bits, .integer(1), refused: "0x7002"), Case(bits, .integer(-1), refused: "0x7002"),
        Case(highBit, "0x80000000", .integer(0x8000_0000)),
        Case(text, "ab", .text("ab")), Case(text, .integer(42), .text("42")),
        Case(text, .text("default"), refused: "bytes"), Case(text, .text("a\0"), refused: "bytes"),
        Case(text, .text("abc"), refused: "2 to 6 bytes in steps of 2"), Case(text, .text(""), refused: "bytes"),
        Case(control(.button), .boolean(true), .boolean(true)),
        Case(control(.button), .boolean(false), refused: "pressed"),
        Case(control(.compound), .integer(1), refused: "array"),
    ])
    func `a wish resolves to a value of the control or a reasoned refusal`(_ wish: Case) throws {
        guard let value = wish.value else {
            let refusal = #expect(throws: ControlRefusal.self) { try wish.control.resolve(wish.wish) }
            #expect(refusal?.reason.contains(wish.words) == true, "\(refusal?.reason ?? "")")
            return
        }
        #expect(try wish.control.resolve(wish.wish) == ControlResolution(value: value, isClamped: wish.isClamped))
    }

    @Test func `auto selects the fully automatic mode`() throws {
        var mode = Self.mode
        mode.menu.append(ControlMenuItem(index: 0, name: "Auto Mode"))
        #expect(try mode.resolve(.text("auto")).value == .integer(0))
    }
}
