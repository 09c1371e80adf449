// SPDX-License-Identifier: Apache-2.0

/// Recursive descent parser of a filter's text, without backtracking: each term begins with a word or a parenthesis.
struct FrameFilterParser {
    let text: [Character]
    let field: String
    var position = 0
    private var level = 0
    private var conditions = 0
    private static let vocabulary = "\(FrameField.words), or all(…), any(…) and not."

    init(_ text: String, field: String) {
        self.text = Array(text)
        self.field = field
    }

    mutating func filter() throws(Problem) -> FrameFilter {
        guard text.count <= FrameFilter.longestText else {
            let what = "the text goes on, and may have \(FrameFilter.longestText) characters"
            let remedy = "Use a shorter one, such as a pattern in place of many names."
            throw wrong(at: FrameFilter.longestText, what, remedy)
        }
        skipSpaces()
        guard !isAtEnd else { return .everything }
        let filter = Self.together(try terms())
        guard isAtEnd else {
            throw wrong(at: position, "\(found) is out of place", "Put a comma between two conditions.")
        }
        return filter
    }

    private static func together(_ terms: [FrameFilter]) -> FrameFilter { terms.count == 1 ? terms[0] : .all(terms) }

    private mutating func terms() throws(Problem) -> [FrameFilter] {
        var terms = [try term()]
        while consume(",") { terms.append(try term()) }
        skipSpaces()
        return terms
    }

    private mutating func term() throws(Problem) -> FrameFilter {
        skipSpaces()
        let start = position
        level += 1
        defer { level -= 1 }
        try check(level, at: start)
        let word = word()
        switch word {
        case "" where consume("("): return Self.together(try closed(start))
        case "": throw wrong(at: start, "\(found) is where a condition must be", "Use one of \(Self.vocabulary)")
        case "all": return .all(try arguments(of: word))
        case "any": return .any(try arguments(of: word))
        case "not": return .not(try term())
        default: return try condition(word, at: start)
        }
    }

    private mutating func arguments(of word: String) throws(Problem) -> [FrameFilter] {
        skipSpaces()
        let start = position
        guard consume("(") else {
            throw wrong(at: start, "\(found) follows “\(word)”", "Write \(word)(…) with conditions in it.")
        }
        guard consume(")") else { return try closed(start) }
        try count(start)
        return []
    }

    private mutating func closed(_ start: Int) throws(Problem) -> [FrameFilter] {
        let terms = try terms()
        guard consume(")") else {
            let what = "\(found) is where a comma or a closing parenthesis must be"
            throw wrong(at: position, what, "Close the parenthesis of character \(start + 1).")
        }
        return terms
    }

    private func check(_ level: Int, at start: Int) throws(Problem) {
        guard level <= FrameFilter.mostLevels else {
            let what = "filters are nested deeper than \(FrameFilter.mostLevels) levels"
            throw wrong(at: start, what, "Use fewer parentheses.")
        }
    }

    private mutating func count(_ start: Int) throws(Problem) {
        conditions += 1
        guard conditions <= FrameFilter.mostConditions else {
            let what = "there are more than \(FrameFilter.mostConditions) conditions"
            throw wrong(at: start, what, "Use fewer, such as a pattern in place of many names.")
        }
    }

    private mutating func condition(_ word: String, at start: Int) throws(Problem) -> FrameFilter {
        guard let name = FrameField(rawValue: word) else {
            let remedy = Spelling.question(for: [word], by: FrameField.nearest) ?? "Use one of \(Self.vocabulary)"
            throw wrong(at: start, "“\(word)” is not a field of a frame", remedy)
        }
        try count(start)
        skipSpaces()
        let place = position
        guard let comparison = comparison() else {
            guard name.standsAlone, let filter = name.filter("yes") else {
                throw wrong(at: place, "\(found) follows “\(word)”, which needs a value", name.remedy)
            }
            return filter
        }
        guard comparison == ":" || comparison == "=" || name.measure != nil else {
            throw wrong(at: place, "“\(comparison)” cannot be said of \(word)", "Write \(word):VALUE. \(name.remedy)")
        }
        skipSpaces()
        let valueStart = position
        let value = try value()
        let filter: FrameFilter? =
            if let measure = name.measure {
                measure.range(comparison, value).map { .is(.measure(measure, $0)) }
            } else {
                name.filter(value)
            }
        guard let filter else {
            let what =
                value.isEmpty ? "\(found) is where the value of \(word) must be" : "“\(value)” is no value of \(word)"
            throw wrong(at: valueStart, what, Spelling.question(for: [value], by: name.nearestValue) ?? name.remedy)
        }
        // A day becomes two times, one level deeper.
        if case .all = filter {
            try check(level + 1, at: start)
            try count(start)
        }
        return filter
    }

    mutating func comparison() -> String? {
        for comparison in [">=", "<=", ":", "=", ">", "<"] where consume(comparison) { return comparison }
        return nil
    }

    /// Parses a quoted value, or a plain one up to white space, a comma, a parenthesis or a quotation mark.
    mutating func value() throws(Problem) -> String {
        guard !isAtEnd else { return "" }
        let quote = text[position]
        guard quote == "\"" || quote == "'" else { return read(while: { !$0.isWhitespace && !",()\"'".contains($0) }) }
        let start = position
        position += 1
        let value = read(while: { $0 != quote })
        guard !isAtEnd else {
            throw wrong(at: start, "the quotation mark is not closed", "Put a second \(quote) behind the value.")
        }
        position += 1
        return value
    }

    var isAtEnd: Bool { position == text.count }
    var found: String { isAtEnd ? "the end of the text" : "“\(text[position])”" }
    mutating func skipSpaces() { _ = read(while: \.isWhitespace) }

    /// Skips spaces and consumes `token`; does not move if another token follows.
    mutating func consume(_ token: String) -> Bool {
        let start = position
        skipSpaces()
        let token = Array(token)
        guard text[position...].starts(with: token) else {
            position = start
            return false
        }
        position += token.count
        return true
    }

    mutating func read(while fits: (Character) -> Bool) -> String {
        let start = position
        while position < text.count, fits(text[position]) { position += 1 }
        return String(text[start..<position])
    }

    mutating func word() -> String { read(while: { $0.isLetter || $0.isNumber || $0 == "_" }) }

    func wrong(at position: Int, _ what: String, _ remedy: String) -> Problem {
        .invalid(field: field, "is wrong at character \(position + 1): \(what).", remedy: remedy)
    }
}

enum FrameField: String, CaseIterable {
    case camera, tag, verdict, settled, pinned, lost, id, kind, source, from, to, on, since, bytes, width, height
    var measure: FrameMeasure? { FrameMeasure(rawValue: rawValue) }
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
