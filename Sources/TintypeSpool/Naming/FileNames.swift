// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// Pattern for the names of pictures below their camera's folder, and its parser.
///
/// Supports fields of strftime(3), `%f` for microseconds, `{camera}`, `{sequence}` and `{id}`. The time is the capture
/// time, in UTC, or in the local time zone if the pattern contains `%z`, without which local time would be ambiguous.
package struct FileNames: Hashable, Sendable {
    /// A sentence each.
    package struct Fault: Error, Hashable, Sendable {
        package var detail: String
        package var remedy: String
    }

    /// Default pattern: a folder per day, and the time with the frame number.
    package static let standard = FileNames(valid: "%Y/%m/%d/%H%M%S.%fZ-{sequence}")

    package let pattern: String
    let parts: [NameField]

    private init(valid pattern: String) {
        self.pattern = pattern
        parts = (try? Self.parts(of: pattern)) ?? []
    }

    /// Parses a pattern, which may end in `.jpg`; throws for unknown fields, and for names that could leave the
    /// camera's folder, be hidden, or be too long for a file system.
    package init(_ pattern: String) throws(Fault) {
        self.pattern = pattern
        parts = try Self.parts(of: pattern.hasSuffix(".jpg") ? String(pattern.dropLast(4)) : pattern)
        try check()
    }

    package var isLocal: Bool { parts.contains(.time("z")) }

    /// Path of a picture, with attempt 1; `offset` from UTC in seconds, by default that of ``isLocal``.
    func path(camera: String, capturedAt: Timestamp, sequence: UInt32, id: FrameID, offset: Int? = nil) -> SpoolPath {
        let time = NameTime(capturedAt, offset: offset ?? (isLocal ? LocalTime(capturedAt).secondsFromUTC : 0))
        let reading = NameReading(camera: camera, sequence: sequence, id: id)
        return SpoolPath(camera: camera, stem: parts.map { $0.text(for: reading, time) }.joined())
    }

    /// Maximum bytes of one path component: NAME_MAX less the attempt number and the file extension.
    private static let longestName = 240
    /// Maximum bytes below the camera's folder; the rest of PATH_MAX is for the spool's own path.
    private static let longestStem = 1024

    private static let fieldRemedy =
        "Use % with one of \(NameField.letters.keys.sorted().map(String.init).joined(separator: ", ")) (f: microseconds) "
        + "or with another %, and {camera}, {sequence} and {id}."
    private static let pathRemedy = "Give names such as “\(standard.pattern)”, below the camera's folder."

    private static func parts(of stem: String) throws(Fault) -> [NameField] {
        func fault(_ detail: String) -> Fault { Fault(detail: detail, remedy: fieldRemedy) }
        var parts: [NameField] = []
        var rest = Substring(stem)
        while let character = rest.popFirst() {
            switch character {
            case "%":
                guard let letter = rest.popFirst() else { throw fault("“%” stands at the end.") }
                switch NameField.letters[letter] {
                case let long? where long.hasPrefix("%"): rest = long + rest
                case .some: parts.append(.time(letter))
                case nil where letter == "%": parts.append(.text("%"))
                case nil: throw fault("“%\(letter)” is no field that names can have.")
                }
            case "{":
                let word = String(rest.prefix { $0 != "}" })
                rest = rest.dropFirst(word.count)
                guard rest.popFirst() == "}", let field = NameField.words[word] else {
                    throw fault("“{\(word)}” is no field that names can have.")
                }
                parts.append(field)
            case "}": throw fault("“}” stands without “{”.")
            default: parts.append(.text(String(character)))
            }
        }
        return parts
    }

    private func check() throws(Fault) {
        func fault(_ detail: String) -> Fault { Fault(detail: detail, remedy: Self.pathRemedy) }
        // Zeros stand for each field: no field begins with a dot or contains a slash.
        let shape = parts.map { part in
            if case .text(let text) = part { text } else { String(repeating: "0", count: part.longest) }
        }.joined()
        if shape.isEmpty { throw fault("The pattern is empty.") }
        if shape.utf8.contains(where: { $0 < 32 || $0 == 127 }) { throw fault("The pattern has a control character.") }
        if shape.hasPrefix("/") { throw fault("The pattern begins with “/” and would leave the spool.") }
        let names = shape.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(Substring.init)
        for name in names {
            if name.isEmpty { throw fault("The pattern has an empty name.") }
            if name == "." || name == ".." { throw fault("“\(name)” in the pattern would leave its folder.") }
            if name.utf8.first == UInt8(ascii: ".") { throw fault("A name of the pattern begins with a dot: hidden.") }
        }
        if shape == "latest" { throw fault("latest.jpg is the name of the link to the newest picture.") }
        guard shape.utf8.count <= Self.longestStem, names.allSatisfy({ $0.utf8.count <= Self.longestName }) else {
            let limits = "longer than \(Self.longestName) bytes, or all of them than \(Self.longestStem)"
            throw Fault(detail: "Names could be \(limits).", remedy: "Give a shorter pattern.")
        }
    }
}

enum NameField: Hashable, Sendable {
    case text(String)
    /// A field of strftime(3) in the C locale, by its letter; `f`, microseconds, is an extension.
    case time(Character)
    /// `{camera}`
    case camera
    /// `{sequence}`: the driver's frame number, at least nine digits.
    case sequence
    /// `{id}`: the frame's UUID.
    case id

    static let words: [String: NameField] = ["camera": .camera, "sequence": .sequence, "id": .id]

    /// Supported letters of strftime(3), with their longest text, or the expansion of a composite one.
    static let letters: [Character: String] = [
        "Y": "2026", "y": "26", "m": "11", "d": "21", "j": "325", "H": "14", "I": "02", "p": "PM", "M": "30",
        "S": "12", "f": "345678", "s": "001795271412", "z": "+0100", "a": "Sat", "A": "Wednesday", "b": "Nov",
        "B": "September", "u": "6", "G": "2026", "V": "47", "F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M",
    ]

    /// Maximum length in bytes.
    var longest: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .camera: 64
        case .sequence: 10
        case .id: 36
        case .time(let letter): Self.letters[letter]?.utf8.count ?? 0
        }
    }

    /// Empty for a number or ID that `reading` lacks.
    func text(for reading: NameReading, _ time: NameTime) -> String {
        switch self {
        case .text(let text): text
        case .camera: reading.camera
        case .sequence: reading.sequence.map { Timestamp.pad(Int($0), 9) } ?? ""
        case .id: reading.id?.description ?? ""
        case .time(let letter): time.text(letter)
        }
    }
}
