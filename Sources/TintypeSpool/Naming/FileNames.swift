// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
package import TintypeModel

/// The pattern of the names that pictures have below their camera's folder, and the way back from a name.
///
/// Fields of strftime(3), `%f` for the microseconds, and `{camera}`, `{sequence}` and `{id}`. The time is that of the
/// capture: in UTC, or in the local time zone where the pattern has `%z`, without which local time would be ambiguous.
package struct FileNames: Hashable, Sendable {
    /// Why a pattern cannot be used.
    package struct Fault: Error, Hashable, Sendable {
        /// The fault, in one sentence.
        package var detail: String
        /// The remedy, in one sentence.
        package var remedy: String
    }

    enum Part: Hashable, Sendable {
        case text(String)
        case field(NameField)
    }

    /// The names of pictures by default: day folders, and the time with the frame number.
    package static let standard = FileNames(
        pattern: "%Y/%m/%d/%H%M%S.%fZ-{sequence}",
        parts: [
            .field(.time("Y")), .text("/"), .field(.time("m")), .text("/"), .field(.time("d")), .text("/"),
            .field(.time("H")), .field(.time("M")), .field(.time("S")), .text("."), .field(.time("f")), .text("Z-"),
            .field(.sequence),
        ]
    )

    /// The pattern as it was given.
    package let pattern: String
    let parts: [Part]

    /// Unchecked: names of these parts may leave the camera's folder.
    private init(pattern: String, parts: [Part]) {
        self.pattern = pattern
        self.parts = parts
    }

    /// Whether names say the time of the time zone that the machine is in.
    package var isLocal: Bool { parts.contains(.field(.time("z"))) }

    /// The name of a picture of which this is known; the first attempt.
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
}

extension FileNames {
    /// Reads a pattern; an ending `.jpg` may stand in it.
    ///
    /// Throws where it has fields that are not known, and where its names could leave the camera's folder, be hidden,
    /// or be too long for a file system.
    package init(_ pattern: String) throws(Fault) {
        let stem = pattern.hasSuffix(".jpg") ? String(pattern.dropLast(4)) : pattern
        try self.init(pattern: pattern, parts: Self.parts(of: stem))
        try check()
    }

    /// The most bytes of one folder's or file's name, less what a number and the ending take (NAME_MAX).
    private static let longestName = 240
    /// The most bytes below the camera's folder: the rest of PATH_MAX is for the folder that the spool is in.
    private static let longestStem = 1024

    private static let fieldRemedy =
        "Use % with one of \(NameField.letters.keys.sorted().map(String.init).joined(separator: ", ")) (f: microseconds) "
        + "or with another %, and {camera}, {sequence} and {id}."
    private static let pathRemedy = "Give names such as “\(standard.pattern)”, below the camera's folder."

    static func parts(of stem: String) throws(Fault) -> [Part] {
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
                guard let letter = rest.popFirst() else {
                    throw Fault(detail: "“%” stands at the end.", remedy: fieldRemedy)
                }
                if letter == "%" {
                    text.append("%")
                } else {
                    guard let long = NameField.letters[letter] else {
                        throw Fault(detail: "“%\(letter)” is no field that names can have.", remedy: fieldRemedy)
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
                    throw Fault(detail: "“{\(word)}” is no field that names can have.", remedy: fieldRemedy)
                }
                endText()
                parts.append(.field(field))
            case "}": throw Fault(detail: "“}” stands without “{”.", remedy: fieldRemedy)
            default: text.append(character)
            }
        }
        endText()
        return parts
    }

    /// Throws where a name of this pattern could leave the camera's folder, be hidden, or be too long.
    func check() throws(Fault) {
        // A field as the one character that it certainly is not a dot or a slash.
        let shape = parts.map { part in if case .text(let text) = part { text } else { "0" } }.joined()
        guard !shape.isEmpty else { throw Fault(detail: "The pattern is empty.", remedy: Self.pathRemedy) }
        guard !shape.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw Fault(detail: "The pattern has a control character.", remedy: Self.pathRemedy)
        }
        guard !shape.hasPrefix("/") else {
            throw Fault(detail: "The pattern begins with “/” and would leave the spool.", remedy: Self.pathRemedy)
        }
        for name in shape.split(separator: "/", omittingEmptySubsequences: false) {
            if name.isEmpty { throw Fault(detail: "The pattern has an empty name.", remedy: Self.pathRemedy) }
            if name == "." || name == ".." {
                throw Fault(detail: "“\(name)” in the pattern would leave its folder.", remedy: Self.pathRemedy)
            }
            if name.hasPrefix(".") {
                throw Fault(detail: "A name of the pattern begins with a dot: hidden.", remedy: Self.pathRemedy)
            }
        }
        guard shape != "latest" else {
            throw Fault(detail: "latest.jpg is the name of the link to the newest picture.", remedy: Self.pathRemedy)
        }
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
