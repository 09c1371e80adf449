// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Frames as they are listed, page by page: a table, a line of a template for each, or JSON.
struct FrameLines {
    private let isJSON: Bool
    private let template: FrameTemplate?
    private var count = 0

    init(isJSON: Bool, template: FrameTemplate?) {
        self.isJSON = isJSON
        self.template = template
    }

    /// The lines of the next frames, and before the first ones what comes before all.
    mutating func lines(_ frames: [FrameRecord]) throws -> String {
        defer { count += frames.count }
        if let template { return frames.map(template.text).joined() }
        if isJSON { return try json(frames) }
        var table = FrameReport.table(frames)
        if count > 0 { table = String(table.drop { $0 != "\n" }.dropFirst()) }
        return frames.isEmpty ? "" : table
    }

    /// What comes behind the last; with `isWhole` false, where it breaks off, nothing if nothing was printed.
    func end(isWhole: Bool = true) -> String {
        guard isJSON, isWhole || count > 0 else { return "" }
        return count == 0 ? "{\"frames\": []}\n" : "\n]}\n"
    }

    private func json(_ frames: [FrameRecord]) throws -> String {
        var text = ""
        for (index, frame) in frames.enumerated() {
            text += count + index == 0 ? "{\"frames\": [\n" : ",\n"
            text += String(decoding: try WireFormat.encode(frame), as: UTF8.self)
        }
        return text
    }
}
