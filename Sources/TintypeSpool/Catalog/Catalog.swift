// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Index of the pictures of a spool: the tables of ``CatalogSchema``; on the thread of its connection.
final class Catalog {
    let connection: CatalogConnection
    /// The second connection; nil if the catalog is not shared or the connection failed.
    private(set) var reader: CatalogReader?
    /// Number of failed inserts of stills since the last successful one.
    var failures = 0
    /// Jobs of the upload rules, which ``applyUploads()`` writes.
    var standing = StandingJobs([], spool: "")
    /// Jobs whose deliveries are being inserted, before their rows.
    var ordered: Set<String> = []
    private var lastNumber: Int64 = 0
    private let counts: CameraTotals?
    private let clock: any MonotonicClock
    private let logger: Logger

    /// Opens or creates the catalog at `path`; see ``CatalogConnection/init(_:isShared:isDiskFull:limit:)``.
    init(
        path: String,
        isShared: Bool = true,
        isDiskFull: Bool = false,
        limit: StatementLimit = StatementLimit(),
        clock: any MonotonicClock,
        logger: Logger
    ) throws(CatalogConnection.OpeningError) {
        (self.clock, self.logger) = (clock, logger)
        let connection = try CatalogConnection(path, isShared: isShared, isDiskFull: isDiskFull, limit: limit)
        self.connection = connection
        (counts, lastNumber) = try connection.opening { queue in
            (try CameraTotals(connection, queue), try queue.read { try ArrivalOrder.greatestNumber($0) })
        }
    }

    /// Uses a second connection, for queries only.
    init(reading connection: CatalogConnection, clock: any MonotonicClock, logger: Logger) {
        (self.connection, self.clock, self.logger) = (connection, clock, logger)
        counts = nil
    }

    /// Opens the second connection, which then makes the checkpoints; if that fails, this one reads and makes them.
    func openReader() {
        do {
            let reader = try CallRecord.marking {
                try CatalogReader(path: connection.path, clock: clock, logger: logger)
            }
            try connection.perform("watch") { queue in queue.writeWithoutTransaction { reader.watchLog(of: $0) } }
            self.reader = reader
        } catch {
            logger.warning("The catalog \(connection.path) cannot be opened a second time, for reading: \(error)")
        }
    }

    func close() throws(Problem) {
        reader?.close()
        try connection.close()
    }

    /// Throws if a part of the schema is missing, and records that as damage.
    func checkSchema() throws(Problem) { try connection.read { try CatalogSchema.check($0) } }

    var tombstones: TombstoneTable { TombstoneTable(connection: connection) }
    var lists: FrameSearch { FrameSearch(catalog: self, clock: clock) }
    /// Time limit of a search for a page; short if stills wait for it because there is no reader.
    var pageTime: Duration { counts != nil && reader == nil ? .milliseconds(10) : FrameSearch.timeLimit }

    func row(_ id: FrameID) throws(Problem) -> FrameRow? {
        try connection.read { try FrameRow.fetch(id, $0) }
    }

    /// Throws `frame-not-found`.
    func frame(_ id: FrameID) throws(Problem) -> FrameRow {
        if let row = try row(id) { return row }
        let detail = "No frame \(id) is in the spool \(connection.path.enclosingFolder)."
        let remedy = "Use the id of a stored still's record."
        throw Problem(.frameNotFound, detail, remedy: remedy)
    }

    func row(at path: String) throws(Problem) -> FrameRow? {
        try rows("SELECT * FROM frame WHERE path = ?", [path]).first
    }

    /// Rows of a query that selects all columns of `frame`.
    func rows(_ sql: String, _ arguments: StatementArguments) throws(Problem) -> [FrameRow] {
        try connection.read { try FrameRow.fetchAll(try $0.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// Inserts rows in one transaction; durable on return if `isDurable`.
    ///
    /// Each row gets the next ``FrameRow/number``; a picture found without a row gets the number of its capture time.
    /// The trigger `frame_inserted` deletes a tombstone on one of the paths: another picture now has the name.
    /// The deliveries of ``standing`` jobs are inserted, and the job of a film ends, in the same transaction.
    func insert(_ rows: [FrameRow], isDurable: Bool, at now: Timestamp) throws(Problem) {
        var last = lastNumber
        let numbered = rows.map { row in
            var row = row
            let isFound = row.source == .reconcile
            if !isFound { last = max(last + 1, FrameRow.number(at: now)) }
            row.number = isFound ? FrameRow.number(at: row.capturedAt) : last
            return row
        }
        try applyUploads()
        try connection.write(isDurable: isDurable) { database in
            for row in numbered {
                try row.insert(database)
                if row.kind != nil { try JobTable.finish(row, at: now, database) }
                try standing.insertDeliveries(of: row, isFound: row.source == .reconcile, database)
            }
        }
        noteNumbers(of: numbered)
    }

    /// Writes the rows of the ``standing`` jobs if not yet done, and cancels the jobs of removed rules.
    func applyUploads() throws(Problem) {
        let now = clock.wall
        guard !standing.isApplied(at: now) else { return }
        let changes = try connection.read { try standing.changes(at: now, $0) }
        if changes.isEmpty {
            standing = try connection.read { try standing.applied([], $0) }
        } else {
            standing = try connection.write(isDurable: true) { try standing.applied(changes, $0) }
        }
        for job in changes where job.state == .cancelled {
            let waiting = try connection.read { try job.deliveries($0, at: now).waiting }
            logger.notice(
                "An upload rule was removed: the pictures that waited for it are not uploaded",
                metadata: ["rule": "\(job.rule ?? "")", "job": "\(job.id)", "count": "\(waiting)"]
            )
        }
    }

    /// Keeps further numbers above those of these rows.
    func noteNumbers(of rows: [FrameRow]) { lastNumber = rows.reduce(lastNumber) { max($0, $1.number) } }

    /// Applies `edit` to these rows in one durable transaction; refuses frames that would exceed the limit of tags.
    func change(_ ids: [FrameID], _ edit: FrameEdit) throws(Problem) -> FrameOutcome {
        try connection.write(isDurable: true) { database in
            var outcome = FrameOutcome()
            let change = try database.cachedStatement(sql: "UPDATE frame SET pinned = ?, tags = ? WHERE id = ?")
            for id in ids {
                guard let row = try FrameRow.fetch(id, database) else {
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
        try connection.write(isDurable: true) { database in
            let sql = "UPDATE frame SET isLost = ? WHERE path = ? AND isLost <> ?"
            let statement = try database.cachedStatement(sql: sql)
            var count = 0
            for path in paths {
                try statement.execute(arguments: [isLost ? 1 : 0, path, isLost ? 1 : 0])
                count += database.changesCount
            }
            if !isLost { try JobTable.returned(paths, database) }
            return count
        }
    }

    /// Deletes rows, but not their tombstones; not flushed: a row that a power cut restores has its tombstone.
    func remove(_ rows: [FrameRow]) throws(Problem) {
        try connection.write(isDurable: false) { database in
            for row in rows { try FrameRow.deleteOne(database, key: row.id.databaseValue) }
        }
    }

    /// For the numbers of deliveries.
    func recountAfterForeignChange() throws(Problem) { try counts?.recountAfterForeignChange() }

    func countLost() throws(Problem) -> Int {
        try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM frame WHERE isLost = 1") ?? 0 }
    }

    func totals(timed: Bool = false) throws(Problem) -> [String: FrameTotals] {
        try counts?.totals(timed: timed) ?? [:]
    }

    /// Next rows in order of arrival; fewer than `limit` only at the end.
    func rows(in order: ArrivalOrder, after place: ArrivalOrder.Place?, limit: Int) throws(Problem) -> [FrameRow] {
        try connection.read { try order.rows(after: place, limit: limit, $0) }
    }

    /// Next rows to compare with their files, perhaps none, and the place to continue at, nil at the end.
    func rowsToCompare(from place: RowPlace, limit: Int) throws(Problem) -> (rows: [FrameRow], next: RowPlace?) {
        switch place {
        case .behind(let last):
            let rows = try rows(
                "SELECT * FROM frame WHERE \(last == nil ? "id >= ?" : "id > ?") ORDER BY id LIMIT ?",
                [(last ?? FrameID(firstOf: 0)).databaseValue, limit]
            )
            return (rows, rows.last.map { RowPlace.behind($0.id) })
        case .behindPath(let path, let passed):
            let rows = try rows("SELECT * FROM frame WHERE path > ? ORDER BY path LIMIT ?", [path, limit])
            guard let last = rows.last else { return ([], nil) }
            // Skips all paths in the folder: “0” sorts directly after “/”.
            let end = passed.contains(String(last.parent)) ? "\(last.parent)0" : last.path
            guard path.utf8.lexicographicallyPrecedes(end.utf8) else {
                throw connection.isDamaged("the index of paths is not in order")
            }
            return (rows.filter { !passed.contains(String($0.parent)) }, .behindPath(end, passing: passed))
        }
    }

    /// False if older pictures may have no row: the catalog is new, or its rebuild was interrupted; stored in
    /// `PRAGMA user_version`, which SQLite leaves to the application.
    func wasCompared() throws(Problem) -> Bool {
        try connection.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 } > 0
    }

    func noteComparison() throws(Problem) {
        try connection.write(isDurable: false) { try $0.execute(sql: "PRAGMA user_version = 1") }
    }
}

enum RowPlace: Sendable {
    case behind(FrameID?)
    /// By path, skipping the rows whose files are in one of these folders, which have no subfolders.
    case behindPath(String, passing: Set<String>)
}
