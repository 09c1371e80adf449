// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Aligned columns, two spaces apart, that fit a terminal.
struct TextTable {
    private let header: [String]
    /// Columns by decreasing importance.
    private let ranks: [Int]
    private let cut: Set<Int>
    private let least: Int
    private let rows: [[String]]
    private static let gap = "  "

    /// The titles in `header` are unique; an empty cell in `rows` is shown as `-`.
    ///
    /// `first` has the titles of the most important columns; the others follow in order, and the least important are
    /// hidden if not all fit. Cells in columns of `cut` may be truncated, to no less than `least` characters.
    init(_ header: [String], first: [String] = [], cut: [String] = [], least: Int = 8, _ rows: [[String]]) {
        self.header = header
        self.least = least
        let named = first.compactMap(header.firstIndex)
        ranks = named + header.indices.filter { !named.contains($0) }
        self.cut = Set(cut.compactMap(header.firstIndex))
        self.rows = rows.map { $0.map { $0.isEmpty ? "-" : PrintableText.line($0) } }
    }

    /// Column widths in characters; nil for a hidden column.
    struct Layout {
        fileprivate let widths: [Int?]
        /// True if longer cells are truncated.
        fileprivate let isFixed: Bool
    }

    /// Lines with newlines and without trailing spaces, none longer than `width`; nil for no limit.
    func text(width: Int?) -> PrintedText { text(layout(width: width), hasHeader: true) }

    /// Formats the rows with a given layout, for example that of the first page.
    func text(_ layout: Layout, hasHeader: Bool) -> PrintedText {
        let lines = ((hasHeader ? [header] : []) + rows).map { row -> PrintedText in
            let cells = row.indices.compactMap { column in
                layout.widths[column].map { Self.cell(row[column], $0, isCut: layout.isFixed) }
            }
            let line = cells.joined(separator: Self.gap)
            return "\(String(line.reversed().drop { $0 == " " }.reversed()))\n"
        }
        return PrintedText(lines)
    }

    /// Takes the most important columns that fit into `width` characters, at full width or truncated; nil for no limit.
    func layout(width: Int?) -> Layout {
        let natural = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        guard let width else { return Layout(widths: natural, isFixed: false) }
        var widths = [Int?](repeating: nil, count: header.count)
        var room = width + Self.gap.count
        for column in ranks {
            let least = cut.contains(column) ? min(natural[column], self.least) : natural[column]
            // The most important column is always shown.
            guard least + Self.gap.count <= room || column == ranks.first else { continue }
            widths[column] = min(least, width)
            room -= least + Self.gap.count
        }
        for column in ranks where cut.contains(column) {
            guard room > 0, let least = widths[column] else { continue }
            let more = min(room, natural[column] - least)
            widths[column] = least + more
            room -= more
        }
        return Layout(widths: widths, isFixed: true)
    }

    private static func cell(_ cell: String, _ width: Int, isCut: Bool) -> String {
        if isCut, cell.count > width { return cell.prefix(max(0, width - 1)) + "…" }
        return cell + String(repeating: " ", count: max(0, width - cell.count))
    }
}

struct LabelledLines {
    private var lines: [(name: String, value: String)] = []

    /// Adds a line unless `value` is nil.
    mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
        if let value { lines.append((name, value.description)) }
    }

    mutating func add(_ problem: Problem?) {
        add("problem", problem.map { "\($0.code.rawValue): \($0.detail)" })
        add("remedy", problem?.remedy)
    }

    func text() -> PrintedText {
        let width = (lines.map(\.name.count).max() ?? 0) + 2
        let padded = lines.map { name, value -> PrintedText in
            "  \(name)\(String(repeating: " ", count: width - name.count))\(value)\n"
        }
        return PrintedText(padded)
    }
}

extension Milliseconds { var spoken: String { SpokenDuration.text(duration) } }
