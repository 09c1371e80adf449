// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// Applies `edit` to these rows in one durable transaction; refuses frames that would exceed the limit of tags.
    func change(_ ids: [FrameID], _ edit: FrameEdit) throws(Problem) -> FrameOutcome {
        try write(isDurable: true) { database in
            var outcome = FrameOutcome()
            let change = try database.cachedStatement(sql: "UPDATE frame SET pinned = ?, tags = ? WHERE id = ?")
            for id in ids {
                guard let row = try self.row("SELECT * FROM frame WHERE id = ?", [id.databaseValue], database) else {
                    outcome.missing.append(id)
                    continue
                }
                guard let edited = edit.applied(to: row.tags ?? []) else {
                    if outcome.refused.count < FrameOutcome.mostRefused { outcome.refused.append(id) }
                    continue
                }
                let text = edited.isEmpty ? nil : edited.joined(separator: ",")
                try change.execute(arguments: [(edit.pinned ?? row.isPinned) ? 1 : 0, text, id.databaseValue])
                outcome.changed += 1
            }
            return outcome
        }
    }

    /// Sets `isLost` of the rows with these paths and returns the number of rows changed.
    func mark(_ paths: [String], isLost: Bool) throws(Problem) -> Int {
        try write(isDurable: true) { database in
            let statement = try database.cachedStatement(
                sql: "UPDATE frame SET isLost = ? WHERE path = ? AND isLost <> ?"
            )
            var count = 0
            for path in paths {
                try statement.execute(arguments: [isLost ? 1 : 0, path, isLost ? 1 : 0])
                count += database.changesCount
            }
            return count
        }
    }

    /// True if the catalog was compared with all files at least once.
    ///
    /// Until then, older pictures may have no row: the catalog is new, or its rebuild was interrupted. Stored in
    /// `PRAGMA user_version`, which SQLite leaves to the application.
    func wasCompared() throws(Problem) -> Bool {
        try read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 } > 0
    }

    func noteComparison() throws(Problem) {
        try write(isDurable: false) { try $0.execute(sql: "PRAGMA user_version = 1") }
    }
}
