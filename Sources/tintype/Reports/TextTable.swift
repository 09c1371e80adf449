// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Rows of cells in aligned columns, two spaces apart, that fit a terminal.
struct TextTable {
    private let header: [String]
    /// The columns by their importance.
    private let ranks: [Int]
    private let cut: Set<Int>
    private let least: Int
    private let rows: [[String]]
    private static let gap = "  "

    /// A table of these cells.
    ///
    /// - Parameters:
    ///   - header: the titles, each once.
    ///   - first: the titles of the most important columns; the others follow in their order. Where not all fit, the
    ///     least important are left out.
    ///   - cut: the titles of the columns whose cells may be cut.
    ///   - least: the fewest characters that they are cut to.
    ///   - rows: the cells of each row; an empty one shows as `-`.
    init(_ header: [String], first: [String] = [], cut: [String] = [], least: Int = 8, _ rows: [[String]]) {
        self.header = header
        self.least = least
        let named = first.compactMap(header.firstIndex)
        ranks = named + header.indices.filter { !named.contains($0) }
        self.cut = Set(cut.compactMap(header.firstIndex))
        self.rows = rows.map { $0.map { $0.isEmpty ? "-" : PrintableText.line($0) } }
    }

    /// The widths of the columns that are shown, nil for one that is left out.
    struct Layout {
        fileprivate let widths: [Int?]
        /// Whether a longer cell is cut.
        fileprivate let isFixed: Bool
    }

    /// The lines, each with its newline and without spaces at its end, none longer than `width`; nil for no limit.
    func text(width: Int?) -> PrintedText { text(layout(width: width), hasHeader: true) }

    /// The lines in a layout, which may be that of an earlier part of the same table.
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

    /// The columns that fit into `width` characters, nil for no limit: the most important whole, or cut where they may
    /// be.
    func layout(width: Int?) -> Layout {
        let natural = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        guard let width else { return Layout(widths: natural, isFixed: false) }
        var widths = [Int?](repeating: nil, count: header.count)
        var room = width + Self.gap.count
        for column in ranks {
            let least = cut.contains(column) ? min(natural[column], self.least) : natural[column]
            // The most important one is there in any case.
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

    /// `cell` in at least, and where it is cut in just so many characters.
    private static func cell(_ cell: String, _ width: Int, isCut: Bool) -> String {
        if isCut, cell.count > width { return cell.prefix(max(0, width - 1)) + "…" }
        return cell + String(repeating: " ", count: max(0, width - cell.count))
    }
}

/// Lines of a name and a value each, the values below each other.
struct LabelledLines {
    private var lines: [(name: String, value: String)] = []

    /// Adds a line, unless there is no value.
    mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
        if let value { lines.append((name, value.description)) }
    }

    /// Adds a problem and its remedy, unless there is none.
    mutating func add(_ problem: Problem?) {
        add("problem", problem.map { "\($0.code.rawValue): \($0.detail)" })
        add("remedy", problem?.remedy)
    }

    /// The lines; the values begin in the same column.
    func text() -> PrintedText {
        let width = (lines.map(\.name.count).max() ?? 0) + 2
        return PrintedText(
            lines.map { line -> PrintedText in
                "  \(line.name)\(String(repeating: " ", count: width - line.name.count))\(line.value)\n"
            }
        )
    }
}

extension Milliseconds {
    /// As a person says it.
    var spoken: String { SpokenDuration.text(duration) }
}
