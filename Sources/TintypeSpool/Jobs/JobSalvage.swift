// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Row of a delivery in a damaged catalog.
struct DeliveryRow: Equatable, Sendable, FetchableRecord {
    private enum State: String { case pending, done, failed }

    private let frame: FrameID
    private let job: String
    private let state: State
    private let attempts: Int
    private let next: Timestamp
    private let error: String?

    /// Throws SQLITE_CORRUPT for values that tintyped never writes.
    init(row: Row) throws {
        let row = CheckedRow(row)
        (frame, job) = (try row.id("frame"), try row.value("job") { $0 })
        (state, attempts) = (try row.value("state", State.init), try row.int("attempts", in: 0...Int.max))
        (next, error) = (try row.moment("next"), String.fromDatabaseValue(row["error"]))
    }

    /// Merges the delivery, unless its frame was deleted or its job is gone or cancelled; a picture that was delivered
    /// does not wait again.
    func merge(into database: Database) throws {
        let merge = try database.cachedStatement(
            sql: """
                INSERT INTO delivery (frame, job, state, attempts, next, error) SELECT ?1, ?2, ?3, ?4, ?5, ?6
                    WHERE NOT EXISTS (SELECT 1 FROM tombstone WHERE id = ?1)
                        AND EXISTS (SELECT 1 FROM job WHERE id = ?2 AND (state <> 'cancelled' OR ?3 <> 'pending'))
                    ON CONFLICT DO UPDATE SET state = 'done', error = NULL WHERE excluded.state = 'done'
                """
        )
        let frame = frame.databaseValue
        try merge.execute(arguments: [frame, job, state.rawValue, attempts, next.microseconds, error])
    }
}

extension JobRow {
    /// Merges the row of a damaged catalog, idempotently: the row of its rule in the new one is younger.
    func merge(into database: Database) throws {
        let sql = "SELECT * FROM job WHERE id = ? OR rule = ?"
        guard let present = try JobRow.fetchOne(database, sql: sql, arguments: [self.id, self.rule]) else {
            return try insert(database)
        }
        guard self.rule != nil, present.id == self.id, self.createdAt < present.createdAt, self.state != .cancelled
        else { return }
        var row = self
        (row.done, row.bytes) = (self.done + present.done, self.bytes + present.bytes)
        row.lost += present.lost
        row.lastSuccess = present.lastSuccess ?? self.lastSuccess
        try row.update(database)
    }
}
