// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Aligned columns, two spaces apart, that fit a terminal.
struct TextTable {
    struct Column<Row> {
        let title: String
        /// Columns of a higher rank are hidden first if not all fit; those of one rank from the right.
        let rank: Int
        /// Characters to which a cell may be truncated; nil if it is shown whole.
        let least: Int?
        let text: (Row) -> (any CustomStringConvertible)?

        init(
            _ title: String,
            _ rank: Int = .max,
            cutTo least: Int? = nil,
            _ text: @escaping (Row) -> (any CustomStringConvertible)?
        ) {
            (self.title, self.rank, self.least, self.text) = (title, rank, least, text)
        }
    }

    /// Titles first.
    private let lines: [[String]]
    /// Columns by decreasing importance.
    private let ranks: [Int]
    private let least: [Int?]
    private static let gap = "  "

    /// An empty cell is shown as `-`.
    init<Row>(_ rows: [Row], _ columns: [Column<Row>]) {
        let cells = rows.map { row in
            columns.map { column in
                let text = column.text(row)?.description ?? ""
                return text.isEmpty ? "-" : PrintableText.line(text)
            }
        }
        lines = [columns.map(\.title)] + cells
        ranks = columns.indices.sorted { (columns[$0].rank, $0) < (columns[$1].rank, $1) }
        least = columns.map(\.least)
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
        PrintedText(
            lines.dropFirst(hasHeader ? 0 : 1).map { row -> PrintedText in
                let cells = row.indices.compactMap { column in
                    layout.widths[column].map { Self.cell(row[column], $0, isCut: layout.isFixed) }
                }
                let line = cells.joined(separator: Self.gap)
                return "\(String(line.reversed().drop { $0 == " " }.reversed()))\n"
            }
        )
    }

    /// Takes the most important columns that fit into `width` characters, at full width or truncated; nil for no limit.
    func layout(width: Int?) -> Layout {
        let natural = least.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        guard let width else { return Layout(widths: natural, isFixed: false) }
        var widths = [Int?](repeating: nil, count: natural.count)
        var room = width + Self.gap.count
        for column in ranks {
            let least = min(natural[column], least[column] ?? .max)
            // The most important column is always shown.
            guard least + Self.gap.count <= room || column == ranks.first else { continue }
            widths[column] = min(least, width)
            room -= least + Self.gap.count
        }
        for column in ranks where least[column] != nil {
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

    /// Adds a line unless `value` is nil or empty.
    mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
        if let value, !value.description.isEmpty { lines.append((name, value.description)) }
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
