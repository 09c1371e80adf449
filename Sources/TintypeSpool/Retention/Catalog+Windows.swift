// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// The last id of the next `count` rows behind `last` whose ids are of moments from `from` and before `to`; nil if
    /// there is no such row.
    ///
    /// It bounds how many rows a step looks at, whatever fits its filter.
    func window(
        _ count: Int,
        after last: FrameID?,
        from: Timestamp? = nil,
        to: Timestamp? = nil
    ) throws(Problem) -> FrameID? {
        let least = max(last?.description ?? "", from.map(FrameID.bound) ?? "")
        // Behind every id, which has hexadecimal digits only.
        let most = to.map(FrameID.bound) ?? "g"
        let text = try read { database in
            try String.fetchOne(
                database,
                sql: "SELECT max(id) FROM (SELECT id FROM frame WHERE id > ? AND id < ? ORDER BY id LIMIT ?)",
                arguments: [least, most, count]
            )
        }
        return text.flatMap { FrameID($0) }
    }
}
