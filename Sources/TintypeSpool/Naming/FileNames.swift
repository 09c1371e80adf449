// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
package import TintypeModel

/// Pattern for the names of pictures below their camera's folder, and its parser.
///
/// Supports fields of strftime(3), `%f` for microseconds, `{camera}`, `{sequence}` and `{id}`. The time is the capture
/// time, in UTC, or in the local time zone if the pattern contains `%z`, without which local time would be ambiguous.
package struct FileNames: Hashable, Sendable {
    package struct Fault: Error, Hashable, Sendable {
        /// One sentence.
        package var detail: String
        /// One sentence.
        package var remedy: String
    }

    enum Part: Hashable, Sendable {
        case text(String)
        case field(NameField)
    }

    /// Default pattern: a folder per day, and the time with the frame number.
    package static let standard = FileNames(
        pattern: "%Y/%m/%d/%H%M%S.%fZ-{sequence}",
        parts: [
            .field(.time("Y")), .text("/"), .field(.time("m")), .text("/"), .field(.time("d")), .text("/"),
            .field(.time("H")), .field(.time("M")), .field(.time("S")), .text("."), .field(.time("f")), .text("Z-"),
            .field(.sequence),
        ]
    )

    package let pattern: String
    let parts: [Part]

    /// Unchecked: paths from these parts may leave the camera's folder.
    private init(pattern: String, parts: [Part]) {
        self.pattern = pattern
        self.parts = parts
    }

    package var isLocal: Bool { parts.contains(.field(.time("z"))) }

    /// Path of a picture, with attempt 1.
    package func path(camera: String, capturedAt: Timestamp, sequence: UInt32, id: FrameID) -> SpoolPath {
        let offset = isLocal ? LocalTime(capturedAt).secondsFromUTC : 0
        return path(
            of: NamedPicture(camera: camera, capturedAt: capturedAt, sequence: sequence, id: id, offset: offset)
        )
    }

    func path(of picture: NamedPicture) -> SpoolPath {
        let stem = parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field): field.text(for: picture)
            }
        }
        return SpoolPath(camera: picture.camera, stem: stem.joined())
    }

    /// Parses a pattern, which may end in `.jpg`; throws for unknown fields, and for names that could leave the
    /// camera's folder, be hidden, or be too long for a file system.
    package init(_ pattern: String) throws(Fault) {
        let stem = pattern.hasSuffix(".jpg") ? String(pattern.dropLast(4)) : pattern
        try self.init(pattern: pattern, parts: Self.parts(of: stem))
        try check()
    }

    /// Maximum bytes of one path component: NAME_MAX less the attempt number and the file extension.
    private static let longestName = 240
    /// Maximum bytes below the camera's folder; the rest of PATH_MAX is for the spool's own path.
    private static let longestStem = 1024

    private static let fieldRemedy =
        "Use % with one of \(NameField.letters.keys.sorted().map(String.init).joined(separator: ", ")) (f: microseconds) "
        + "or with another %, and {camera}, {sequence} and {id}."
    private static let pathRemedy = "Give names such as “\(standard.pattern)”, below the camera's folder."

    static func parts(of stem: String) throws(Fault) -> [Part] {
        func fault(_ detail: String) -> Fault { Fault(detail: detail, remedy: fieldRemedy) }
        var parts: [Part] = []
        var text = ""
        func endText() {
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
        }
        var rest = Substring(stem)
        while let character = rest.popFirst() {
            switch character {
            case "%":
                guard let letter = rest.popFirst() else { throw fault("“%” stands at the end.") }
                if letter == "%" {
                    text.append("%")
                } else {
                    guard let long = NameField.letters[letter] else {
                        throw fault("“%\(letter)” is no field that names can have.")
                    }
                    endText()
                    if long.isEmpty { parts.append(.field(.time(letter))) }
                    for part in long {
                        parts.append(NameField.letters[part] == nil ? .text(String(part)) : .field(.time(part)))
                    }
                }
            case "{":
                let word = String(rest.prefix { $0 != "}" })
                rest = rest.dropFirst(word.count)
                guard rest.popFirst() == "}", let field = NameField.words[word] else {
                    throw fault("“{\(word)}” is no field that names can have.")
                }
                endText()
                parts.append(.field(field))
            case "}": throw fault("“}” stands without “{”.")
            default: text.append(character)
            }
        }
        endText()
        return parts
    }

    /// Throws if names of this pattern could leave the camera's folder, be hidden, or be too long.
    func check() throws(Fault) {
        func fault(_ detail: String) -> Fault { Fault(detail: detail, remedy: Self.pathRemedy) }
        // “0” stands for each field: no field begins with a dot or contains a slash.
        let shape = parts.map { part in if case .text(let text) = part { text } else { "0" } }.joined()
        guard !shape.isEmpty else { throw fault("The pattern is empty.") }
        guard !shape.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw fault("The pattern has a control character.")
        }
        guard !shape.hasPrefix("/") else { throw fault("The pattern begins with “/” and would leave the spool.") }
        for name in shape.split(separator: "/", omittingEmptySubsequences: false) {
            if name.isEmpty { throw fault("The pattern has an empty name.") }
            if name == "." || name == ".." { throw fault("“\(name)” in the pattern would leave its folder.") }
            if name.hasPrefix(".") { throw fault("A name of the pattern begins with a dot: hidden.") }
        }
        guard shape != "latest" else { throw fault("latest.jpg is the name of the link to the newest picture.") }
        try checkLengths()
    }

    private func checkLengths() throws(Fault) {
        let longest = parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field): String(repeating: "0", count: field.longest)
            }
        }.joined().utf8
        let names = longest.split(separator: UInt8(ascii: "/"))
        guard longest.count <= Self.longestStem, names.allSatisfy({ $0.count <= Self.longestName }) else {
            throw Fault(
                detail:
                    "Names could be longer than \(Self.longestName) bytes, or all of them than \(Self.longestStem).",
                remedy: "Give a shorter pattern."
            )
        }
    }
}
