// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// The tables `job` and `delivery` of a catalog; on the thread of its connection.
struct JobTable {
    let connection: CatalogConnection
    let spool: String

    /// Number of deliveries changed in one step, so that stills do not wait for long.
    static let step = 1000

    /// Jobs of no rule that are done or cancelled.
    private static let ended = "job INDEXED BY job_ended WHERE rule IS NULL AND state IN ('done', 'cancelled')"

    /// Jobs of rules by name, then the others, newest first; of those done or cancelled, the last ones up to `ended`.
    func all(ended: Int = Job.mostEnded, at now: Timestamp) throws(Problem) -> [Job] {
        let sql = """
            SELECT * FROM job WHERE id IN (
                SELECT id FROM job INDEXED BY job_open WHERE rule IS NOT NULL OR state NOT IN ('done', 'cancelled')
                UNION ALL SELECT * FROM (SELECT id FROM \(Self.ended) ORDER BY endedAt DESC LIMIT ?)
            ) ORDER BY rule IS NULL, rule, createdAt DESC, id
            """
        return try connection.read { database in
            try JobRow.fetchAll(database, sql: sql, arguments: [ended]).map {
                try $0.job(in: spool, at: now, database)
            }
        }
    }

    /// Deletes jobs of no rule that were done or cancelled before `moment`, up to 500, and first their refused
    /// deliveries, up to ``step``.
    func forget(before moment: Timestamp) throws(Problem) {
        let old = "SELECT id FROM \(Self.ended) AND endedAt < ?1 ORDER BY endedAt LIMIT 500"
        let refused = "FROM delivery WHERE state = 'failed' AND job IN (\(old))"
        try connection.write(isDurable: false) { database in
            for sql in [
                "DELETE FROM delivery WHERE (frame, job) IN (SELECT frame, job \(refused) LIMIT \(Self.step))",
                "DELETE FROM job WHERE id IN (\(old)) AND id NOT IN (SELECT job \(refused))",
            ] { try database.execute(sql: sql, arguments: [moment.microseconds]) }
        }
    }

    func row(_ id: String) throws(Problem) -> JobRow {
        guard let row = try present(id) else { throw .noJob(id) }
        return row
    }

    func present(_ id: String) throws(Problem) -> JobRow? { try connection.read { try JobRow.fetchOne($0, key: id) } }

    /// Ends the job that made a film or clip, in whose transaction this is; a clip keeps the reason for an early end.
    static func finish(_ film: FrameRow, at now: Timestamp, _ database: Database) throws {
        let end = try database.cachedStatement(
            sql: """
                UPDATE job SET state = 'done', endedAt = ?1, lastSuccess = ?1, done = ?2, bytes = ?3,
                    error = iif(kind = 'clip', error, NULL)
                    WHERE frame = ?4 AND state NOT IN ('done', 'cancelled')
                """
        )
        try end.execute(arguments: [now.microseconds, film.pictures ?? 0, film.bytes, film.id.databaseValue])
    }

    /// Writes the row, durably, and returns the job.
    func save(_ row: JobRow, at now: Timestamp) throws(Problem) -> Job {
        try connection.write(isDurable: true) { database in
            try row.save(database)
            return try row.job(in: spool, at: now, database)
        }
    }

    /// Deletes the row, but no deliveries: those that are done show that their pictures have been uploaded.
    func delete(_ id: String) throws(Problem) {
        _ = try connection.write(isDurable: true) { try JobRow.deleteOne($0, key: id) }
    }

    /// Ends a job without further deliveries.
    func settle(_ id: String, at now: Timestamp) throws(Problem) -> Job {
        let row = try row(id)
        let settled = try row.settled(try connection.read { try row.deliveries($0, at: now) }, at: now)
        return try settled == row ? job(row, at: now) : save(settled, at: now)
    }

    func job(_ row: JobRow, at now: Timestamp) throws(Problem) -> Job {
        try connection.read { try row.job(in: spool, at: now, $0) }
    }

    func insertDeliveries(of id: String, _ frames: [FrameID]) throws(Problem) {
        try connection.write(isDurable: false) { database in
            let sql = "INSERT OR IGNORE INTO delivery (frame, job, state) VALUES (?, ?, 'pending')"
            let insert = try database.cachedStatement(sql: sql)
            for frame in frames { try insert.execute(arguments: [frame.databaseValue, id]) }
        }
    }

    /// Ids of those frames that wait for an upload.
    func waiting(among rows: [FrameRow]) throws(Problem) -> Set<FrameID> {
        try connection.read { database in
            let sql = "SELECT 1 FROM delivery WHERE frame = ? AND state = 'pending' LIMIT 1"
            let waits = try database.cachedStatement(sql: sql)
            return Set(try rows.map(\.id).filter { try Int.fetchOne(waits, arguments: [$0.databaseValue]) != nil })
        }
    }

    // MARK: - Many deliveries, in steps

    /// Makes refused pictures of a job wait again, and those with a time of the next attempt be due, up to ``step``;
    /// returns false if there were none.
    func retryDeliveries(of id: String) throws(Problem) -> Bool {
        try change(
            "UPDATE delivery SET state = 'pending', attempts = 0, next = 0, error = NULL WHERE",
            "state = 'failed' UNION ALL SELECT frame FROM delivery WHERE job = ?1 AND state = 'pending' AND attempts > 0",
            of: id
        )
    }

    /// Deletes refused deliveries of a job, up to ``step``; returns false if there were none.
    func deleteFailedDeliveries(of id: String) throws(Problem) -> Bool {
        try change("DELETE FROM delivery WHERE", "state = 'failed'", of: id)
    }

    /// Deletes deliveries that wait for a job that is cancelled or gone, up to ``step``, but for jobs whose rows are
    /// yet to come; returns false if there were none.
    func deleteAbandonedDeliveries(except ordered: Set<String>) throws(Problem) -> Bool {
        let sql = """
            SELECT job FROM temp.deliveryCount WHERE state = 'pending' AND count > 0
                AND job NOT IN (SELECT id FROM job WHERE state <> 'cancelled')
            """
        let abandoned = try connection.read { try String.fetchAll($0, sql: sql) }
        guard let id = abandoned.first(where: { !ordered.contains($0) }) else { return false }
        return try change("DELETE FROM delivery WHERE", "state = 'pending'", of: id)
    }

    private func change(_ verb: String, _ condition: String, of id: String) throws(Problem) -> Bool {
        let frames = "SELECT frame FROM delivery WHERE job = ?1 AND \(condition) LIMIT \(Self.step)"
        return try connection.write(isDurable: false) { database in
            try database.execute(sql: "\(verb) job = ?1 AND frame IN (\(frames))", arguments: [id])
            return database.changesCount > 0
        }
    }

    // MARK: - Work

    /// Next pictures of a job that are due, in order of their ids; nil if some of them have no file: then read again.
    ///
    /// Those fail, until their files return. A delivery without a frame, from a damaged catalog, counts as lost, but
    /// not while the catalog is being rebuilt: its frame may yet be found.
    func nextBatch(
        of id: String,
        _ order: FrameOrder,
        limit: Int,
        isRebuilding: Bool,
        at now: Timestamp
    ) throws(Problem) -> [FrameRow]? {
        let direction = order == .newest ? "DESC" : ""
        let sql = """
            SELECT delivery.frame AS frameID, frame.* FROM delivery INDEXED BY delivery_pending
                \(isRebuilding ? "CROSS" : "LEFT") JOIN frame ON frame.id = delivery.frame
                WHERE delivery.job = ? AND delivery.state = 'pending' AND delivery.next NOT BETWEEN ? AND ?
                ORDER BY delivery.frame \(direction) LIMIT ?
            """
        var (pictures, lost, gone): ([FrameRow], [FrameID], [FrameID]) = ([], [], [])
        try connection.read { database in
            let statement = try database.cachedStatement(sql: sql)
            // A later attempt is due at once: the clock was set back.
            let times = (now.microseconds + 1, (now + Job.longestPause).microseconds)
            let rows = try Row.fetchCursor(statement, arguments: [id, times.0, times.1, limit])
            while let row = try rows.next() {
                let frame = try CheckedRow(row).id("frameID")
                if CheckedRow(row)["id"].isNull {
                    gone.append(frame)
                } else {
                    let row = try FrameRow(row: row)
                    if row.isLost { lost.append(frame) } else { pictures.append(row) }
                }
            }
        }
        if lost.isEmpty && gone.isEmpty { return pictures }
        try giveUp(lost, gone, of: id)
        return nil
    }

    private func giveUp(_ lost: [FrameID], _ gone: [FrameID], of id: String) throws(Problem) {
        try connection.write(isDurable: false) { database in
            let fail = try database.cachedStatement(
                sql: "UPDATE delivery SET state = 'failed', error = ? WHERE frame = ? AND job = ?"
            )
            for frame in lost { try fail.execute(arguments: [Self.isLost, frame.databaseValue, id]) }
            let delete = try database.cachedStatement(sql: "DELETE FROM delivery WHERE frame = ? AND job = ?")
            for frame in gone { try delete.execute(arguments: [frame.databaseValue, id]) }
            try database.execute(sql: "UPDATE job SET lost = lost + ? WHERE id = ?", arguments: [gone.count, id])
        }
    }

    /// Error of a picture whose file is lost.
    private static let isLost = "The file of the picture is gone."

    /// Makes pictures whose files have returned wait again.
    static func returned(_ paths: [String], _ database: Database) throws {
        let wait = try database.cachedStatement(
            sql: """
                UPDATE delivery SET state = 'pending', attempts = 0, next = 0, error = NULL
                    WHERE frame = (SELECT id FROM frame WHERE path = ?) AND state = 'failed' AND error = ?
                        AND job IN (SELECT id FROM job WHERE state <> 'cancelled')
                """
        )
        for path in paths { try wait.execute(arguments: [path, isLost]) }
    }

    /// Pause before the next attempt after this number of failed ones.
    static func pause(after attempts: Int) -> Duration {
        Job.firstPause.backoff(after: attempts - 1, upTo: Job.longestPause).jittered
    }

    /// Longest stored text of an error, in characters.
    static let longestError = 500

    struct Recorded {
        var job: Job
        /// Delivered pictures to delete, which have tombstones.
        var buried: [FrameRow] = []
        /// Smallest ``FrameRow/number`` of the pictures that no longer wait; nil if there are none.
        var firstNumber: Int64?
    }

    /// Records results for pictures that still wait, durably; nil if there is no such job.
    ///
    /// `deletes`: a delivered picture is deleted unless it is pinned or another job has not delivered it.
    func record(
        _ done: [FrameID],
        _ failures: [WorkReport.Failure],
        of id: String,
        deletes: Bool,
        at now: Timestamp
    ) throws(Problem) -> Recorded? {
        guard let known = try connection.read({ try JobRow.fetchOne($0, key: id) }) else { return nil }
        return try connection.write(isDurable: true) { database in
            let isOpen = try database.cachedStatement(
                sql: """
                    SELECT 1 FROM delivery JOIN job ON job.id = delivery.job
                        WHERE delivery.frame = ? AND delivery.state <> 'done' AND job.state <> 'cancelled' LIMIT 1
                    """
            )
            let find = try database.cachedStatement(
                sql: "SELECT attempts FROM delivery WHERE frame = ? AND job = ? AND state = 'pending'"
            )
            let change = try database.cachedStatement(
                sql: "UPDATE delivery SET state = ?, attempts = ?, next = ?, error = ? WHERE frame = ? AND job = ?"
            )
            var (row, settled): (JobRow, [FrameRow]) = (known, [])
            var recorded = Recorded(job: known.job)
            func end(_ frame: FrameID, _ state: String, _ error: String?) throws -> FrameRow? {
                try change.execute(arguments: [state, 0, 0, error, frame.databaseValue, id])
                guard let picture = try FrameRow.fetchOne(database, key: frame.databaseValue) else { return nil }
                settled.append(picture)
                return picture
            }
            for frame in done where try Row.fetchOne(find, arguments: [frame.databaseValue, id]) != nil {
                let picture = try end(frame, "done", nil)
                (row.done, row.bytes) = (row.done + 1, row.bytes + (picture?.bytes ?? 0))
                (row.lastSuccess, row.error) = (now, nil)
                guard deletes, let picture, !picture.isPinned,
                    try Int.fetchOne(isOpen, arguments: [frame.databaseValue]) == nil
                else { continue }
                recorded.buried.append(picture)
            }
            for failure in failures {
                let frame = failure.id.databaseValue
                guard let attempts = try Int.fetchOne(find, arguments: [frame, id]) else { continue }
                let error = String(failure.error.prefix(Self.longestError))
                row.error = error
                if failure.isFinal {
                    _ = try end(failure.id, "failed", error)
                } else {
                    let next = now + Self.pause(after: attempts + 1)
                    try change.execute(arguments: ["pending", attempts + 1, next.microseconds, error, frame, id])
                }
            }
            row = try row.settled(try row.deliveries(database, at: now), at: now)
            try row.update(database)
            try TombstoneTable.add(over: recorded.buried, at: now, database)
            recorded.job = try row.job(in: spool, at: now, database)
            recorded.firstNumber = settled.map(\.number).min()
            return recorded
        }
    }
}
