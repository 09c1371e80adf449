// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The output of `--format` for each frame: text with the names of fields in braces.
///
/// `{{` and `}}` stand for braces, `\t`, `\n`, `\0` and `\\` for what they mean in C. A newline follows unless the text
/// ends with `\n` or `\0`. A field that the record does not have is empty.
struct FrameTemplate: Hashable {
    /// The fault of a template.
    struct Fault: Error {
        let sentence: String
    }

    /// A field of a record, by its name in JSON.
    enum Field: String, Hashable, CaseIterable {
        case id, camera, spool, path, stored, bytes, width, height, sequence, capturedAt, timestampSource, uncertaintyMs
        case settled, verdict, faults, appearance, tags, average, gapMs, sha256, storedAt, pinned, lost, source
    }

    private enum Piece: Hashable {
        case text(String)
        case field(Field)
    }

    private let pieces: [Piece]

    init(_ text: String) throws(Fault) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                literal.append(character)
                rest.removeFirst()
            case "{":
                let name = rest.prefix { $0 != "}" }
                guard name.endIndex != rest.endIndex else {
                    throw Fault(sentence: "“{\(name)” has no closing brace; {{ is a brace.")
                }
                guard let field = Field(rawValue: String(name)) else {
                    let known = Field.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Fault(sentence: "A frame has no field “\(name)”; it has \(known).")
                }
                pieces += [.text(literal), .field(field)]
                literal = ""
                rest = rest[name.endIndex...].dropFirst()
            case "}": throw Fault(sentence: "A “}” closes nothing; }} is a brace.")
            case "\\": literal.append(try Self.escaped(rest.popFirst()))
            default: literal.append(character)
            }
        }
        if !literal.hasSuffix("\n"), !literal.hasSuffix("\0") { literal.append("\n") }
        self.pieces = pieces + [.text(literal)]
    }

    /// The line of a frame; with `isEscaped` its fields are safe for a terminal.
    func text(_ frame: FrameRecord, isEscaped: Bool = false) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .field(let field):
                isEscaped ? PrintableText.line(Self.value(field, of: frame)) : Self.value(field, of: frame)
            }
        }.joined()
    }

    private static func escaped(_ letter: Character?) throws(Fault) -> Character {
        switch letter {
        case "t": "\t"
        case "n": "\n"
        case "0": "\0"
        case "\\": "\\"
        default: throw Fault(sentence: "A backslash goes before t, n, 0 or another backslash.")
        }
    }

    private static func value(_ field: Field, of frame: FrameRecord) -> String {
        let still = frame.still
        return switch field {
        case .id: still.id.description
        case .camera: still.camera
        case .spool: frame.spool
        case .path: still.path ?? ""
        case .stored: still.stored.rawValue
        case .bytes: "\(still.bytes)"
        case .width: "\(still.width)"
        case .height: "\(still.height)"
        case .sequence: "\(still.sequence)"
        case .capturedAt: still.capturedAt.description
        case .timestampSource: still.timestampSource.rawValue
        case .uncertaintyMs: still.uncertaintyMs?.headerText ?? ""
        case .settled: still.settled.map { "\($0)" } ?? ""
        case .verdict: still.verdict?.rawValue ?? ""
        case .faults: list(still.faults?.map(\.rawValue))
        case .appearance: list(still.appearance?.map(\.rawValue))
        case .tags: list(still.tags)
        case .average: still.average.map { "\($0)" } ?? ""
        case .gapMs: still.gapMs?.headerText ?? ""
        case .sha256: still.sha256 ?? ""
        case .storedAt: frame.storedAt.description
        case .pinned: "\(frame.pinned)"
        case .lost: "\(frame.lost)"
        case .source: frame.source.rawValue
        }
    }

    /// With a comma between two, as the filter's values have none.
    private static func list(_ words: [String]?) -> String { (words ?? []).joined(separator: ",") }
}
