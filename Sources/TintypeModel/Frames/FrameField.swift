// SPDX-License-Identifier: Apache-2.0

enum FrameField: String, CaseIterable {
    case camera, tag, verdict, settled, pinned, lost, id, kind, source, from, to, on, since, bytes, width, height

    var measure: FrameMeasure? { FrameMeasure(rawValue: rawValue) }

    /// True if the name alone is a condition.
    var standsAlone: Bool { self == .pinned || self == .lost }

    var remedy: String {
        switch self {
        case .camera: "Write a camera's name of a-z, 0-9, '.', '_' and '-', with * and ? for any others, as in front*."
        case .tag: "Write a tag of letters, digits, '.', '_' and '-', with * and ? for any others, as in alarm*."
        case .verdict: "Use one of \(Verdict.words)."
        case .settled, .pinned, .lost: "Use yes or no."
        case .id: "Write the id of a frame, as its record has it."
        case .kind: "Use one of \(FrameKind.words)."
        case .source: "Use one of \(FrameSource.words)."
        case .from, .to: "Write a time such as 2026-11-20, 2026-11-20T12:30Z or 2026-11-20T12:30:05+01:00."
        case .on: "Write a day such as 2026-11-20, or 2026-11-20+01:00 for one that does not begin with UTC's."
        case .since: "Write a number and its unit ms, s, m, h, d or y, from 1ms to 3650d, as in 7d."
        case .bytes: "Write a number of bytes, also with k, M or G behind it (1024 each), as in bytes>100k."
        case .width, .height: "Write a number of pixels, as in \(rawValue)>=720."
        }
    }

    /// Valid value near to `value`; nil for a field that takes more than a few words.
    func nearestValue(to value: String) -> String? {
        switch self {
        case .verdict: Verdict.nearest(to: value)
        case .kind: FrameKind.nearest(to: value)
        case .source: FrameSource.nearest(to: value)
        default: nil
        }
    }

    func filter(_ value: String) -> FrameFilter? {
        switch self {
        case .camera: Self.isName(value, Self.cameraCharacters) ? .is(.camera(value)) : nil
        case .tag: Self.isName(value, Self.tagCharacters) ? .is(.tag(value)) : nil
        case .verdict: Verdict(rawValue: value).map { .is(.verdict($0)) }
        case .settled: Self.truth(value).map { .is(.settled($0)) }
        case .pinned: Self.truth(value).map { .is(.pinned($0)) }
        case .lost: Self.truth(value).map { .is(.lost($0)) }
        case .id: FrameID(value).map { .is(.id($0)) }
        case .kind: FrameKind(rawValue: value).map { .is(.kind($0)) }
        case .source: FrameSource(rawValue: value).map { .is(.source($0)) }
        case .from: HumanTime.parse(value).map { .is(.from($0)) }
        case .to: HumanTime.parse(value).map { .is(.to($0)) }
        case .on: HumanTime.parseDay(value).map { .all([.is(.from($0)), .is(.to($0 + .seconds(86_400)))]) }
        case .since: Self.age(value).map { .is(.since($0)) }
        case .bytes, .width, .height: nil
        }
    }

    private static func age(_ text: String) -> Duration? {
        guard let age = HumanDuration.parse(text), age.nanosecondCount % 1_000_000 == 0 else { return nil }
        return (Duration.milliseconds(1)...Duration.seconds(3650 * 86_400)).contains(age) ? age : nil
    }

    private static func truth(_ word: String) -> Bool? {
        ["yes": true, "true": true, "no": false, "false": false][word]
    }

    private static let cameraCharacters = Set("abcdefghijklmnopqrstuvwxyz0123456789._-*?".unicodeScalars)
    private static let tagCharacters = cameraCharacters.union("ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)

    private static func isName(_ text: String, _ characters: Set<Unicode.Scalar>) -> Bool {
        (1...64).contains(text.unicodeScalars.count) && text.unicodeScalars.allSatisfy(characters.contains)
    }
}

extension FrameMeasure {
    /// Parses the right side of a condition, as in `>100k`, `:1280` or `:100k..2M`; nil if no number can match.
    func range(_ comparison: String, _ value: String) -> ClosedRange<Int>? {
        if [":", "="].contains(comparison), let dots = value.firstRange(of: "..") {
            // Either bound may be omitted.
            let (first, last) = (value[..<dots.lowerBound], value[dots.upperBound...])
            guard
                !first.isEmpty || !last.isEmpty,
                let least = first.isEmpty ? 0 : number(first),
                let most = last.isEmpty ? Int.max : number(last),
                least <= most
            else { return nil }
            return least...most
        }
        guard let number = number(value[...]) else { return nil }
        return switch comparison {
        case ">": number + 1...Int.max
        case ">=": number...Int.max
        case "<": number > 0 ? 0...number - 1 : nil
        case "<=": 0...number
        default: number...number
        }
    }

    private func number(_ text: Substring) -> Int? {
        if self == .bytes { return HumanBytes.parse(String(text)) }
        return text.utf8.count <= 9 && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int(text) : nil
    }
}
