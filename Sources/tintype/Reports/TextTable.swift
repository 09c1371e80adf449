// SPDX-License-Identifier: Apache-2.0

/// Rows of cells in aligned columns, two spaces apart.
struct TextTable {
    private var rows: [[String]]

    init(_ header: [String]) { rows = [header] }

    /// Adds a row; an empty cell shows as `-`.
    mutating func add(_ cells: [String]) { rows.append(cells.map { $0.isEmpty ? "-" : $0 }) }

    /// The lines, each with its newline, without spaces at their ends.
    var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }
}
