// SPDX-License-Identifier: Apache-2.0

/// The right side of a condition on a number: `>100k`, `:1280`, `:100k..2M`.
enum FrameRangeText {
    /// The numbers that fit; nil where `value` is no number of `measure`, or no number can fit.
    static func read(_ value: String, _ comparison: String, of measure: FrameMeasure) -> ClosedRange<Int>? {
        if [":", "="].contains(comparison), let dots = value.firstRange(of: "..") {
            return span(value[..<dots.lowerBound], value[dots.upperBound...], of: measure)
        }
        guard let number = number(value[...], of: measure) else { return nil }
        return switch comparison {
        case ">": number + 1...Int.max
        case ">=": number...Int.max
        case "<": number > 0 ? 0...number - 1 : nil
        case "<=": 0...number
        default: number...number
        }
    }

    /// From one number to another; one of the two may be left out.
    private static func span(
        _ first: Substring,
        _ last: Substring,
        of measure: FrameMeasure
    ) -> ClosedRange<Int>? {
        guard
            !first.isEmpty || !last.isEmpty,
            let least = first.isEmpty ? 0 : number(first, of: measure),
            let most = last.isEmpty ? Int.max : number(last, of: measure),
            least <= most
        else { return nil }
        return least...most
    }

    private static func number(_ text: Substring, of measure: FrameMeasure) -> Int? {
        if measure == .bytes { return HumanBytes.parse(String(text)) }
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
