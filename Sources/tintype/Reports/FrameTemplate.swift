// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// Template of `--format`: text with field names in braces.
///
/// `{{` and `}}` are literal braces; `\t`, `\n`, `\0` and `\\` are as in C. A newline is appended unless the text ends
/// with `\n` or `\0`. Missing fields are empty.
struct FrameTemplate {
    private enum Piece {
        case text(String)
        case field(FrameRecord.Field)
    }

    private let pieces: [Piece]

    init(_ text: String) throws(ValidationError) {
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
                    throw ValidationError("“{\(name)” has no closing brace; {{ is a brace.")
                }
                guard let field = FrameRecord.fields.first(where: { $0.name == name }) else {
                    let known = FrameRecord.fields.map(\.name).joined(separator: ", ")
                    throw ValidationError("A frame has no field “\(name)”; it has \(known).")
                }
                pieces += [.text(literal), .field(field)]
                literal = ""
                rest = rest[name.endIndex...].dropFirst()
            case "}": throw ValidationError("A “}” closes nothing; }} is a brace.")
            case "\\": literal.append(try Self.escaped(rest.popFirst()))
            default: literal.append(character)
            }
        }
        if !literal.hasSuffix("\n"), !literal.hasSuffix("\0") { literal.append("\n") }
        self.pieces = pieces + [.text(literal)]
    }

    /// Fills in the template; `isEscaped` makes the fields safe for a terminal.
    func text(_ frame: FrameRecord, isEscaped: Bool = false) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .field(let field):
                isEscaped ? PrintableText.line(Self.value(field, of: frame)) : Self.value(field, of: frame)
            }
        }.joined()
    }

    private static func escaped(_ letter: Character?) throws(ValidationError) -> Character {
        switch letter {
        case "t": "\t"
        case "n": "\n"
        case "0": "\0"
        case "\\": "\\"
        default: throw ValidationError("A backslash goes before t, n, 0 or another backslash.")
        }
    }

    private static func value(_ field: FrameRecord.Field, of frame: FrameRecord) -> String {
        let text = field.headerText(frame) ?? ""
        // List members are separated by commas without spaces, like values in filters.
        return field.valueSchema.type == "array" ? text.replacing(", ", with: ",") : text
    }
}
