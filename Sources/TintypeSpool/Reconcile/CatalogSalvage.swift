// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Reads the readable rows of a catalog that was set aside; use on one thread, which it blocks.
struct CatalogSalvage {
    /// Rows read in one step; an empty step does not mean the end.
    struct Part: Sendable {
        var tombstones: [Tombstone] = []
        var jobs: [JobRow] = []
        var deliveries: [DeliveryRow] = []
        var frames: [FrameRow] = []
    }

    /// Reason for a temporary failure to open; nil if the catalog is open, or if it is unreadable for good.
    let obstacle: String?

    private let queue: DatabaseQueue?
    private let oldestTombstone: Timestamp
    private let limit = StatementLimit()
    private var tombstones = SalvagedTable(name: "tombstone", keys: ["path"])
    private var jobs = SalvagedTable(name: "job", keys: ["id"])
    private var deliveries = SalvagedTable(name: "delivery", keys: ["frame", "job"])
    private var frames = SalvagedTable(name: "frame", keys: ["id"])

    /// Opens the catalog at `path`; tombstones older than `oldestTombstone` are ignored.
    init(path: String, oldestTombstone: Timestamp) {
        self.oldestTombstone = oldestTombstone
        // As for a catalog that is not shared: the WAL index stays in heap memory, not in a file.
        var configuration = CatalogConnection.configuration("salvage", limit, "PRAGMA locking_mode = EXCLUSIVE")
        configuration.busyMode = .timeout(2)
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            obstacle = nil
        } catch {
            queue = nil
            obstacle = CatalogConnection.openingError(error, path).damage == nil ? "\(error)" : nil
        }
    }

    /// Reads up to `count` rows, tombstones, jobs and deliveries first; nil at the end.
    ///
    /// A frame then has its deliveries as soon as it has a row, and is not uploaded again.
    mutating func next(_ count: Int) -> Part? {
        guard let queue else { return nil }
        limit.begin()
        if !tombstones.isDone {
            let found = tombstones.next(count, of: queue) { try? Tombstone(row: $0) }
            return Part(tombstones: found.filter { $0.deletedAt >= oldestTombstone })
        }
        if !jobs.isDone { return Part(jobs: jobs.next(count, of: queue) { try? JobRow(row: $0) }) }
        if !deliveries.isDone {
            return Part(deliveries: deliveries.next(count, of: queue) { try? DeliveryRow(row: $0) })
        }
        guard !frames.isDone else { return nil }
        return Part(frames: frames.next(count, of: queue) { try? FrameRow(row: $0) })
    }

    func close() { try? queue?.close() }
}

/// Position in a partly unreadable table: read from the first row up to a failure, then from the last down to it.
private struct SalvagedTable {
    let name: String
    /// Columns of the primary key, which gives the order.
    let keys: [String]
    var isDone = false
    var isFromEnd = false
    /// Last keys read from the start and from the end; initially shorter and longer than any text and any id.
    var low: [DatabaseValue]
    var high: [DatabaseValue]

    init(name: String, keys: [String]) {
        (self.name, self.keys) = (name, keys)
        low = keys.map { _ in "".databaseValue }
        high = keys.map { _ in DatabaseValue(bytes: repeatElement(0xFF, count: 17)) }
    }

    /// Reads up to `count` rows and converts them, skipping those that `read` rejects; none does not mean the end.
    mutating func next<Value>(_ count: Int, of queue: DatabaseQueue, _ read: (Row) -> Value?) -> [Value] {
        var (found, steps): ([Value], Int) = ([], 0)
        let order = keys.map { isFromEnd ? "\($0) DESC" : $0 }.joined(separator: ", ")
        let (key, place) = (keys.joined(separator: ", "), keys.map { _ in "?" }.joined(separator: ", "))
        let bounds = "(\(key)) > (\(place)) AND (\(key)) < (\(place))"
        let sql = "SELECT * FROM \(name) WHERE \(bounds) ORDER BY \(order) LIMIT ?"
        do {
            try queue.read { database in
                let rows = try Row.fetchCursor(
                    database,
                    sql: sql,
                    arguments: StatementArguments(low + high + [count.databaseValue])
                )
                while let row = try rows.next() {
                    steps += 1
                    let end = keys.map { row[$0] as DatabaseValue? ?? .null }
                    if isFromEnd { high = end } else { low = end }
                    if let value = read(row) { found.append(value) }
                }
            }
            isDone = steps < count
        } catch {
            // Rows after the failure can be reached only from the other end.
            (isDone, isFromEnd) = (isFromEnd, true)
        }
        return found
    }
}

extension CatalogSalvage.Part {
    /// Merges these rows into `catalog`, idempotently, and returns the number of frames affected: deleted frames stay
    /// deleted, and existing rows get missing pins and tags.
    ///
    /// The jobs of rules that are no longer configured are cancelled.
    func merge(into catalog: Catalog) throws(Problem) -> Int {
        defer {
            catalog.noteNumbers(of: frames)
            if !jobs.isEmpty { catalog.standing.forget() }
        }
        try catalog.applyUploads()
        return try catalog.connection.write(isDurable: true) { database in
            // An existing row belongs to another picture, or to one that was restored.
            let bury = try database.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO tombstone (path, id, deletedAt, sha256)
                        SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM frame WHERE path = ?1 OR id = ?2)
                    """
            )
            for tombstone in tombstones {
                let (id, sha256) = (tombstone.id.databaseValue, DatabaseValue(hexadecimal: tombstone.sha256))
                try bury.execute(arguments: [tombstone.path, id, tombstone.deletedAt.microseconds, sha256])
            }
            for job in jobs { try job.merge(into: database) }
            for delivery in deliveries { try delivery.merge(into: database) }
            let isBuried = try database.cachedStatement(
                sql: "SELECT 1 FROM tombstone WHERE id = ? UNION ALL SELECT 1 FROM tombstone WHERE path = ?"
            )
            // The same picture has the same id, or the same path and checksum.
            let amend = try database.cachedStatement(
                sql: """
                    UPDATE frame SET pinned = max(pinned, ?1), tags = ifnull(tags, ?2)
                        WHERE (id = ?3 OR (path = ?4 AND sha256 = ?5))
                            AND (pinned < ?1 OR (tags IS NULL AND ?2 IS NOT NULL))
                    """
            )
            var count = 0
            for row in frames {
                let (id, sha256) = (row.id.databaseValue, DatabaseValue(hexadecimal: row.sha256))
                guard try Int.fetchOne(isBuried, arguments: [id, row.path]) == nil else { continue }
                try row.insert(database, onConflict: .ignore)
                if database.changesCount > 0 {
                    count += 1
                    // As for a picture found without a row: that of its delivery may have been unreadable.
                    try catalog.standing.insertDeliveries(of: row, isFound: true, database)
                } else {
                    let tags = row.tags?.joined(separator: ",")
                    try amend.execute(arguments: [row.isPinned ? 1 : 0, tags, id, row.path, sha256])
                    count += database.changesCount
                }
            }
            return count
        }
    }
}

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
