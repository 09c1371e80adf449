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

    /// Duration such as `200ms`; in a range with negative values, also a time before now such as `-1.5s`.
    ///
    /// `range` is in milliseconds.
    static func time(_ text: String, in range: ClosedRange<Double>) throws -> Duration {
        let isRelative = range.lowerBound < 0
        let isEarlier = isRelative && text.hasPrefix("-")
        let size = HumanDuration.parse(isEarlier || isRelative && text.hasPrefix("+") ? String(text.dropFirst()) : text)
        if let time = size.map({ isEarlier ? .zero - $0 : $0 }), range.contains(time.millisecondCount) { return time }
        let least = HumanDuration.text(.milliseconds(range.lowerBound))
        let most = HumanDuration.text(.milliseconds(range.upperBound))
        let example = !isRelative ? "200ms or 2s" : range.upperBound > 0 ? "-2s or 500ms" : "-1.5s"
        throw ValidationError("“\(text)” is not a time from \(least) to \(most), such as \(example).")
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
}

/// Refuses the command line with `message` unless `condition` holds.
func ensure(_ condition: Bool, _ message: @autoclosure () -> String) throws(ValidationError) {
    if !condition { throw ValidationError(message()) }
}

extension Option where Value == String? {
    init(_ help: String, _ value: String, completion: CompletionKind? = nil) {
        self.init(help: ArgumentHelp(help, valueName: value), completion: completion)
    }
}

// Options with a range; a value may begin with a hyphen if the range has negative ones.

extension Option where Value == Int? {
    init(_ help: String, _ value: String, in range: ClosedRange<Int>) {
        self.init(parsing: .taking(range), help: ArgumentHelp(help, valueName: value)) {
            try OptionText.integer($0, in: range)
        }
    }
}

extension Option where Value == Double? {
    init(_ help: String, _ value: String, in range: ClosedRange<Double>) {
        self.init(help: ArgumentHelp(help, valueName: value)) { try OptionText.number($0, in: range) }
    }
}

extension Option where Value == Duration? {
    init(_ help: String, _ value: String = "time", name: NameSpecification = .long, in range: ClosedRange<Double>) {
        self.init(name: name, parsing: .taking(range), help: ArgumentHelp(help, valueName: value)) {
            try OptionText.time($0, in: range)
        }
    }
}

extension SingleValueParsingStrategy {
    fileprivate static func taking(_ range: ClosedRange<some Numeric>) -> Self {
        range.lowerBound < 0 ? .unconditional : .next
    }
}
