// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

enum FrameReport {
    static func table(_ frames: [FrameRecord]) -> TextTable {
        TextTable(
            frames,
            [
                .init("ID", 1, \.still.id), .init("CAMERA", 3, cutTo: 8, \.still.camera),
                // To the second: ids sort by time, and `show` prints the full value.
                .init("CAPTURED", 2) { "\($0.still.capturedAt.description.prefix(19))Z" },
                .init("SIZE", 6) { "\($0.still.width)x\($0.still.height)" },
                .init("BYTES", 8) { HumanBytes.rounded($0.still.bytes) },
                .init("VERDICT", 7, \.still.verdict?.rawValue),
                .init("NOTES", 4, cutTo: 8) { notes($0).joined(separator: ",") },
                .init("TAGS", 5, cutTo: 8) { $0.still.tags?.joined(separator: ",") },
            ]
        )
    }

    static func text(_ frame: FrameRecord) -> PrintedText {
        let still = frame.still
        var lines = LabelledLines()
        lines.add("camera", still.camera)
        let uncertainty = still.uncertaintyMs.map { " ± \($0.spoken)" } ?? ""
        lines.add("captured", "\(still.capturedAt)\(uncertainty) (\(still.timestampSource.rawValue))")
        lines.add("stored", "\(frame.storedAt) (\(still.stored.rawValue))")
        lines.add("file", still.path ?? "none")
        lines.add("spool", frame.spool)
        let content = still.pictures.map { CountText.text($0, "picture") } ?? "frame \(still.sequence)"
        let size = "\(still.width)x\(still.height), \(still.bytes) bytes"
        lines.add(still.kind?.rawValue ?? "picture", "\(size), \(content)")
        lines.add("lasts", still.durationMs?.spoken)
        lines.add("until", still.until?.description)
        lines.add("sha256", still.sha256)
        lines.add("verdict", still.verdictText)
        lines.add("settled", still.settled.map { $0 ? "yes" : "no" })
        lines.add("looks", still.appearance?.map(\.rawValue).joined(separator: ", "))
        lines.add("average of", still.average.map { "\($0) frames" })
        lines.add("interrupted", still.gapMs?.spoken)
        lines.add("tags", still.tags?.joined(separator: ", "))
        lines.add("source", frame.source.rawValue)
        if frame.pinned { lines.add("pinned", "yes: retention leaves it alone") }
        if frame.lost { lines.add("lost", "its file is gone") }
        return "\(still.id)\n\(lines.text())"
    }

    private static func notes(_ frame: FrameRecord) -> [String] {
        var notes = frame.still.kind.map { [$0.rawValue] } ?? []
        if frame.pinned { notes.append("pinned") }
        if frame.lost { notes.append("lost") }
        if frame.still.settled == false { notes.append("unsettled") }
        return notes + (frame.still.appearance ?? []).map(\.rawValue)
    }
}

extension StillRecord {
    /// For example `tolerated (truncated, size)`.
    var verdictText: String? {
        let faults = faults.map { " (\($0.map(\.rawValue).joined(separator: ", ")))" } ?? ""
        return verdict.map { $0.rawValue + faults }
    }
}

/// Page-wise output of frames: a table, one line per frame from a template, or JSON.
struct FrameLines {
    let isJSON: Bool
    let template: FrameTemplate?
    let isTerminal = StandardStream.output.isTerminal
    /// That of the first page, for all pages.
    private(set) var layout: TextTable.Layout?
    private(set) var count = 0

    /// Lines of a page; the first page also has the start of the list.
    mutating func lines(_ frames: [FrameRecord]) throws -> [UInt8] {
        defer { count += frames.count }
        if let template { return frames.flatMap { template.text($0, isEscaped: isTerminal).utf8 } }
        if isJSON { return try json(frames) }
        guard !frames.isEmpty else { return [] }
        let table = FrameReport.table(frames)
        let layout = layout ?? table.layout(width: StandardStream.output.width)
        self.layout = layout
        return Array(table.text(layout, hasHeader: count == 0).string.utf8)
    }

    /// End of the list; nothing if `isWhole` is false, because the list was cut short, and nothing was printed.
    func closing(isWhole: Bool = true) -> PrintedText {
        guard isJSON, isWhole || count > 0 else { return "" }
        return count == 0 ? "{\"frames\": []}\n" : "\n]}\n"
    }

    private func json(_ frames: [FrameRecord]) throws -> [UInt8] {
        var text: [UInt8] = []
        for (index, frame) in frames.enumerated() {
            text += Array((count + index == 0 ? "{\"frames\": [\n" : ",\n").utf8)
            text += try JSONText.encode(frame, pretty: false)
        }
        return text
    }

    /// Prints the frames of `body`, then the end of the list, even if `body` throws.
    static func print(
        isJSON: Bool,
        template: FrameTemplate? = nil,
        _ body: (inout FrameLines) async throws -> Void
    ) async throws {
        var lines = FrameLines(isJSON: isJSON, template: template)
        do {
            try await body(&lines)
        } catch {
            try StandardStream.output.write(lines.closing(isWhole: false))
            throw error
        }
        try StandardStream.output.write(lines.closing())
    }
}

/// Template of `--format`: text with field names in braces.
///
/// `{{` and `}}` are literal braces; `\t`, `\n`, `\0` and `\\` are as in C. A newline is appended unless the text ends
/// with `\n` or `\0`. Missing fields are empty.
struct FrameTemplate {
    private let fields: [(before: String, field: FrameRecord.Field)]
    private let end: String

    private static let escapes: [Substring: String] = ["t": "\t", "n": "\n", "0": "\0", "\\": "\\"]

    init(_ text: String) throws(ValidationError) {
        var (fields, literal): ([(String, FrameRecord.Field)], String) = ([], "")
        var place = text.startIndex
        for match in text.matches(of: /\{\{|\}\}|\{(?<name>[^{}]*)\}|\\(?<letter>.)|[{}\\]/) {
            literal += text[place..<match.range.lowerBound]
            place = match.range.upperBound
            if let name = match.name {
                guard let field = FrameRecord.fields.first(where: { $0.name == name }) else {
                    let known = FrameRecord.fields.map(\.name).joined(separator: ", ")
                    throw ValidationError("A frame has no field “\(name)”; it has \(known).")
                }
                fields.append((literal, field))
                literal = ""
            } else if match.0 == "{" {
                throw ValidationError("“\(text[match.range.lowerBound...])” has no closing brace; {{ is a brace.")
            } else if match.0 == "}" {
                throw ValidationError("A “}” closes nothing; }} is a brace.")
            } else if match.0.hasPrefix("\\") {
                guard let character = match.letter.flatMap({ Self.escapes[$0] }) else {
                    throw ValidationError("A backslash goes before t, n, 0 or another backslash.")
                }
                literal += character
            } else {
                literal += match.0.prefix(1)
            }
        }
        literal += text[place...]
        self.fields = fields
        end = literal.hasSuffix("\n") || literal.hasSuffix("\0") ? literal : "\(literal)\n"
    }

    /// Fills in the template; `isEscaped` makes the fields safe for a terminal.
    func text(_ frame: FrameRecord, isEscaped: Bool = false) -> String {
        fields.map { before, field in
            let value = Self.value(field, of: frame)
            return before + (isEscaped ? PrintableText.line(value) : value)
        }.joined() + end
    }

    private static func value(_ field: FrameRecord.Field, of frame: FrameRecord) -> String {
        let text = field.headerText(frame) ?? ""
        // List members are separated by commas without spaces, like values in filters.
        return field.valueSchema.type == "array" ? text.replacing(", ", with: ",") : text
    }
}
