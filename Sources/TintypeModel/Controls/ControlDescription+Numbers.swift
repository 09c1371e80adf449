// SPDX-License-Identifier: Apache-2.0

extension ControlDescription {
    /// The value in the range and on the steps that is nearest to `number`.
    package func nearest(to number: Int64) -> Int64 {
        guard maximum >= minimum else { return minimum }
        let inside = min(max(number, minimum), maximum)
        // Distances as unsigned numbers: a range may be wider than the largest signed one.
        let distance = UInt64(bitPattern: inside &- minimum)
        let span = UInt64(bitPattern: maximum &- minimum)
        let rest = distance % step
        let steps = min(distance / step + (rest > 0 && rest >= step - rest ? 1 : 0), span / step)
        return minimum &+ Int64(bitPattern: steps &* step)
    }

    /// The number at this part of the range, 0 to 1.
    func value(at part: Double) -> Int64 {
        let span = Double(maximum) - Double(minimum)
        let value = (Double(minimum) + span * part).rounded()
        return Int64(exactly: value) ?? (part < 0.5 ? minimum : maximum)
    }

    /// The whole number that `wish` is, decimal or with `0x`; nil for anything else.
    static func integer(_ wish: ControlValue) -> Int64? {
        switch wish {
        case .integer(let number): return number
        case .boolean: return nil
        case .text(let text):
            let digits = text.lowercased()
            return digits.hasPrefix("0x") ? Int64(digits.dropFirst(2), radix: 16) : Int64(digits)
        }
    }

    /// The part that `50%` or `12.5 %` is, 0 to 1; nil for anything else.
    static func percentage(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: /([0-9]{1,3}(?:\.[0-9]{1,6})?) ?%/), let number = Double(match.1),
            number <= 100
        else { return nil }
        return number / 100
    }

    /// The duration `10ms`, `250us`, `0.5s` or `1/100s` in units of 100 µs, rounded; nil for anything else.
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
