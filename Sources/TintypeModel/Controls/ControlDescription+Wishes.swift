// SPDX-License-Identifier: Apache-2.0

package struct ControlResolution: Hashable, Sendable {
    package var value: ControlValue
    /// True if `value` is the nearest possible value instead of the requested one.
    package var isClamped = false
}

package struct ControlRefusal: Error, Hashable, Sendable {
    package var reason: String
}

extension ControlDescription {
    /// Converts a requested value into one for this control, clamped to the range and rounded to the step: a number, a
    /// Boolean, `0x…`, `default`, a menu item, `on`, `off`, `auto`, `manual`, `50%`, or a time (`10ms`, `1/100s`).
    package func resolve(_ wish: ControlValue) throws(ControlRefusal) -> ControlResolution {
        if type != .string, case .text(let text) = wish, ControlName.key(of: text) == "default", let standard {
            return ControlResolution(value: standard)
        }
        switch type {
        case .integer, .integer64: return try number(wish)
        case .boolean: return ControlResolution(value: .boolean(try truth(wish)))
        case .menu, .integerMenu: return ControlResolution(value: .integer(try item(wish)))
        case .bitmask: return ControlResolution(value: .integer(try bits(wish)))
        case .button:
            guard try truth(wish) else { throw ControlRefusal(reason: "A button can only be pressed: give on.") }
            return ControlResolution(value: .boolean(true))
        case .string: return ControlResolution(value: .text(try text(wish)))
        case .compound: throw ControlRefusal(reason: "It is an array or a structure, which tintype does not set.")
        }
    }

    private func number(_ wish: ControlValue) throws(ControlRefusal) -> ControlResolution {
        if let number = Self.integer(wish) {
            let nearest = nearest(to: number)
            return ControlResolution(value: .integer(nearest), isClamped: nearest != number)
        }
        guard case .text(let text) = wish else { throw refusal(of: wish, "a number") }
        if let part = Self.percentage(text) { return ControlResolution(value: .integer(nearest(to: value(at: part)))) }
        if id == ControlNumber.exposureAbsolute, let hundreds = Self.hundredsOfMicroseconds(text) {
            let nearest = nearest(to: hundreds)
            return ControlResolution(value: .integer(nearest), isClamped: nearest != hundreds)
        }
        throw refusal(of: wish, unit == nil ? "a whole number or a part of the range such as 50%" : "a duration")
    }

    private func truth(_ wish: ControlValue) throws(ControlRefusal) -> Bool {
        switch wish {
        case .boolean(let isOn): return isOn
        case .integer(0): return false
        case .integer(1): return true
        case .integer: break
        case .text(let text):
            switch text.lowercased() {
            case "on", "true", "yes", "1": return true
            case "off", "false", "no", "0": return false
            case "auto" where ControlNumber.isSwitch(id): return true
            case "manual" where ControlNumber.isSwitch(id): return false
            default: break
            }
        }
        throw refusal(of: wish, "on or off")
    }

    private func item(_ wish: ControlValue) throws(ControlRefusal) -> Int64 {
        if let index = Self.integer(wish) {
            if menu.contains(where: { $0.index == index }) { return index }
        } else if case .text(let text) = wish {
            let key = ControlName.key(of: text)
            if let item = menu.first(where: { ControlName.key(of: $0.name) == key }) { return item.index }
            // auto: V4L2_EXPOSURE_AUTO or, with a fixed iris, V4L2_EXPOSURE_APERTURE_PRIORITY.
            // manual: V4L2_EXPOSURE_MANUAL or V4L2_EXPOSURE_SHUTTER_PRIORITY.
            let words: [String: [Int64]] = ["auto": [0, 3], "manual": [1, 2]]
            if id == ControlNumber.autoExposure,
                let index = words[key]?.first(where: { index in menu.contains { $0.index == index } })
            {
                return index
            }
        }
        let names = menu.map { "\($0.name) (\($0.index))" }.joined(separator: ", ")
        throw refusal(of: wish, "an item of its menu: \(names)")
    }

    private func bits(_ wish: ControlValue) throws(ControlRefusal) -> Int64 {
        let mask = Int64(UInt32(truncatingIfNeeded: maximum))
        guard let bits = Self.integer(wish), bits >= 0, bits & ~mask == 0 else {
            throw refusal(of: wish, "a number made of the bits 0x\(String(mask, radix: 16))")
        }
        return bits
    }

    private func text(_ wish: ControlValue) throws(ControlRefusal) -> String {
        let text = wish.description
        let (length, least) = (Int64(text.utf8.count), max(0, minimum))
        guard length >= least, length <= maximum, UInt64(length - least) % step == 0, !text.utf8.contains(0) else {
            throw refusal(of: wish, "text of \(least) to \(maximum) bytes in steps of \(step)")
        }
        return text
    }

    private func refusal(of wish: ControlValue, _ wanted: String) -> ControlRefusal {
        if case .text(let text) = wish, text.lowercased() == "auto",
            let automatic = ControlNumber.automatics(of: id).first
        {
            return ControlRefusal(reason: "“auto” is no value of it: set \(automatic) to auto.")
        }
        return ControlRefusal(reason: "“\(wish)” is not \(wanted).")
    }

    /// Clamps `number` to the range and rounds it to the nearest step.
    package func nearest(to number: Int64) -> Int64 {
        guard maximum >= minimum else { return minimum }
        let inside = min(max(number, minimum), maximum)
        // Unsigned distances: the range may be wider than `Int64.max`.
        let distance = UInt64(bitPattern: inside &- minimum)
        let span = UInt64(bitPattern: maximum &- minimum)
        let rest = distance % step
        let steps = min(distance / step + (rest > 0 && rest >= step - rest ? 1 : 0), span / step)
        return minimum &+ Int64(bitPattern: steps &* step)
    }

    /// Value at a fraction of the range, 0 to 1.
    func value(at part: Double) -> Int64 {
        let span = Double(maximum) - Double(minimum)
        let value = (Double(minimum) + span * part).rounded()
        return Int64(exactly: value) ?? (part < 0.5 ? minimum : maximum)
    }

    /// Parses a whole number, decimal or with `0x`.
    static func integer(_ wish: ControlValue) -> Int64? {
        switch wish {
        case .integer(let number): return number
        case .boolean: return nil
        case .text(let text):
            let digits = text.lowercased()
            return digits.hasPrefix("0x") ? Int64(digits.dropFirst(2), radix: 16) : Int64(digits)
        }
    }

    /// Parses `50%` or `12.5 %` to a fraction, 0 to 1.
    static func percentage(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: /([0-9]{1,3}(?:\.[0-9]{1,6})?) ?%/), let number = Double(match.1),
            number <= 100
        else { return nil }
        return number / 100
    }

    /// Parses `10ms`, `250us`, `0.5s` or `1/100s` into units of 100 µs, rounded.
    static func hundredsOfMicroseconds(_ text: String) -> Int64? {
        if let match = text.wholeMatch(of: /1\/([0-9]{1,6}) ?s/), let part = Double(match.1), part > 0 {
            return Int64((10_000 / part).rounded())
        }
        guard let match = text.wholeMatch(of: /([0-9]{1,9}(?:\.[0-9]{1,6})?) ?(us|µs|ms|s)/),
            let number = Double(match.1)
        else { return nil }
        let hundreds: Double =
            switch match.2 {
            case "s": number * 10_000
            case "ms": number * 10
            default: number / 100
            }
        return Int64(hundreds.rounded())
    }
}
