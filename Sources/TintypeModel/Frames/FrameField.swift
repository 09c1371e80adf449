// SPDX-License-Identifier: Apache-2.0

/// The fields that a condition of a filter can be about, and what each takes as a value.
enum FrameField: String, CaseIterable {
    case camera
    case tag
    case verdict
    case settled
    case pinned
    case lost
    case id
    case source
    case from
    case to
    case on
    case since
    case bytes
    case width
    case height

    /// The number that it is about; nil for one that is about none.
    var measure: FrameMeasure? { FrameMeasure(rawValue: rawValue) }

    /// Whether its name alone is a condition.
    var standsAlone: Bool { self == .pinned || self == .lost }

    /// What to write, as a sentence.
    var remedy: String {
        switch self {
        case .camera: "Write a camera's name of a-z, 0-9, '.', '_' and '-', with * and ? for any others, as in front*."
        case .tag: "Write a tag of letters, digits, '.', '_' and '-', with * and ? for any others, as in alarm*."
        case .verdict: "Use one of \(Self.words(Verdict.self))."
        case .settled, .pinned, .lost: "Use yes or no."
        case .id: "Write the id of a frame, as its record has it."
        case .source: "Use one of \(Self.words(FrameSource.self))."
        case .from, .to: "Write a time such as 2026-11-20, 2026-11-20T12:30Z or 2026-11-20T12:30:05+01:00."
        case .on: "Write a day such as 2026-11-20, or 2026-11-20+01:00 for one that does not begin with UTC's."
        case .since: "Write a number and its unit ms, s, m, h, d or y, from 1ms to 3650d, as in 7d."
        case .bytes: "Write a number of bytes, also with k, M or G behind it (1024 each), as in bytes>100k."
        case .width, .height: "Write a number of pixels, as in \(rawValue)>=720."
        }
    }

    /// The filter that a value makes; nil if it is no value of this field.
    func filter(_ value: String) -> FrameFilter? {
        switch self {
        case .camera: Self.isName(value, Self.cameraCharacters) ? .is(.camera(value)) : nil
        case .tag: Self.isName(value, Self.tagCharacters) ? .is(.tag(value)) : nil
        case .verdict: Verdict(rawValue: value).map { .is(.verdict($0)) }
        case .settled: Self.truth(value).map { .is(.settled($0)) }
        case .pinned: Self.truth(value).map { .is(.pinned($0)) }
        case .lost: Self.truth(value).map { .is(.lost($0)) }
        case .id: FrameID(value).map { .is(.id($0)) }
        case .source: FrameSource(rawValue: value).map { .is(.source($0)) }
        case .from: HumanTime.parse(value).map { .is(.from($0)) }
        case .to: HumanTime.parse(value).map { .is(.to($0)) }
        case .on: HumanTime.parseDay(value).map { .day(from: $0) }
        case .since: Self.age(value).map { .is(.since($0)) }
        case .bytes, .width, .height: nil
        }
    }

    /// Ages that can be asked for.
    static let ages = Duration.milliseconds(1)...Duration.seconds(3650 * 86_400)

    private static func age(_ text: String) -> Duration? {
        guard let age = HumanDuration.parse(text), age.nanosecondCount % 1_000_000 == 0, ages.contains(age) else {
            return nil
        }
        return age
    }

    private static func truth(_ word: String) -> Bool? {
        switch word {
        case "yes", "true": true
        case "no", "false": false
        default: nil
        }
    }

    private static let cameraCharacters = Set("abcdefghijklmnopqrstuvwxyz0123456789._-*?".unicodeScalars)
    private static let tagCharacters = cameraCharacters.union("ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)

    private static func isName(_ text: String, _ characters: Set<Unicode.Scalar>) -> Bool {
        (1...64).contains(text.unicodeScalars.count) && text.unicodeScalars.allSatisfy(characters.contains)
    }

    private static func words<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> String
    where Word.RawValue == String {
        Word.allCases.map(\.rawValue).joined(separator: ", ")
    }
}

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
