// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Frames as they are listed, page by page: a table, a line of a template for each, or JSON.
struct FrameLines {
    let isJSON: Bool
    let template: FrameTemplate?
    let isTerminal: Bool
    /// In characters; nil for no limit.
    let width: Int?
    private(set) var layout: TextTable.Layout?
    private(set) var count = 0

    /// The lines of the next frames, and before the first ones what comes before all.
    mutating func lines(_ frames: [FrameRecord]) throws -> [UInt8] {
        defer { count += frames.count }
        if let template { return frames.flatMap { template.text($0, isEscaped: isTerminal).utf8 } }
        if isJSON { return try json(frames) }
        guard !frames.isEmpty else { return [] }
        let table = FrameReport.table(frames)
        // The columns of all pages are those of the first.
        let layout = layout ?? table.layout(width: width)
        self.layout = layout
        return Array(table.text(layout, hasHeader: count == 0).string.utf8)
    }

    /// The end of the list; with `isWhole` false, of a list that breaks off: nothing if nothing was printed.
    func end(isWhole: Bool = true) -> PrintedText {
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

    /// Lets `body` print frames, and prints what comes behind the last of them, also where `body` throws.
    static func print(
        isJSON: Bool,
        template: FrameTemplate? = nil,
        _ body: (inout FrameLines) async throws -> Void
    ) async throws {
        let output = StandardStream.output
        let (isTerminal, width) = (output.isTerminal, output.width)
        var lines = FrameLines(isJSON: isJSON, template: template, isTerminal: isTerminal, width: width)
        do {
            try await body(&lines)
        } catch {
            try output.write(lines.end(isWhole: false))
            throw error
        }
        try output.write(lines.end())
    }
}
