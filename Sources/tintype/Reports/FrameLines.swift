// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

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
