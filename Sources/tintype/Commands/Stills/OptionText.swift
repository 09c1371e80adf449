// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// Parses option values; errors are one sentence, to which ArgumentParser adds the option's name.
enum OptionText {
    static func integer(_ text: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ValidationError("“\(text)” is not a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    static func number(_ text: String, in range: ClosedRange<Double>) throws -> Double {
        if let number = Double(text), range.contains(number) { return number }
        throw ValidationError("“\(text)” \(FilmStyle.notNumber(in: range))")
    }

    /// Duration such as `200ms`; `range` is in milliseconds.
    static func duration(_ text: String, in range: ClosedRange<Double>) throws -> Duration {
        try time(text, in: range, as: "200ms or 2s", HumanDuration.parse(text))
    }

    /// Time relative to now, such as `-1.5s`; `range` is in milliseconds.
    static func moment(_ text: String, in range: ClosedRange<Double>) throws -> Duration {
        let isEarlier = text.hasPrefix("-")
        let size = HumanDuration.parse(isEarlier || text.hasPrefix("+") ? String(text.dropFirst()) : text)
        let example = range.upperBound > 0 ? "-2s or 500ms" : "-1.5s"
        return try time(text, in: range, as: example, size.map { isEarlier ? .zero - $0 : $0 })
    }

    /// `nearest` returns the valid word that an invalid one probably means, also for each of a comma-separated list.
    static func value<Value>(
        _ text: String,
        _ remedy: String,
        nearest: (String) -> String? = { _ in nil },
        _ read: (String) -> Value?
    ) throws -> Value {
        if let value = read(text) { return value }
        let question = Spelling.question(for: text.split(separator: ",").map(String.init), by: nearest)
        throw ValidationError("“\(text)” is not valid here. \(question ?? remedy)")
    }

    @Sendable static func tag(_ text: String) throws -> String {
        try value(text, StillRequest.tagRemedy) { StillRequest.isValid(tag: $0) ? $0 : nil }
    }

    private static func time(
        _ text: String,
        in range: ClosedRange<Double>,
        as example: String,
        _ time: Duration?
    ) throws -> Duration {
        guard let time, range.contains(time.millisecondCount) else {
            let least = HumanDuration.text(.milliseconds(range.lowerBound))
            let most = HumanDuration.text(.milliseconds(range.upperBound))
            throw ValidationError("“\(text)” is not a time from \(least) to \(most), such as \(example).")
        }
        return time
    }
}
