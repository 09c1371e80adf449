// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Reads the readable rows of a catalog that was set aside: pins, tags and deletions are in no other file.
///
/// Use on one thread, which it blocks.
struct CatalogSalvage {
    /// Rows read in one step; an empty step does not mean the end.
    struct Part: Sendable {
        var tombstones: [Tombstone] = []
        var frames: [NumberedRow] = []
    }

    /// Reason for a temporary failure to open.
    ///
    /// Nil if the catalog is open, or if it is unreadable for good.
    let obstacle: String?

    private let queue: DatabaseQueue?
    private let oldestTombstone: Timestamp
    private let limit = StatementLimit()
    private var tombstones = SalvagedTable(name: "tombstone", key: "path")
    private var frames = SalvagedTable(name: "frame", key: "id")

    /// Opens the catalog at `path`; tombstones older than `oldestTombstone` are ignored.
    init(path: String, oldestTombstone: Timestamp) {
        self.oldestTombstone = oldestTombstone
        // As for a catalog that is not shared: the WAL index stays in heap memory, not in a file.
        var configuration = Catalog.configuration("salvage", limit, "PRAGMA locking_mode = EXCLUSIVE")
        configuration.busyMode = .timeout(2)
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            obstacle = nil
        } catch {
            queue = nil
            obstacle = Catalog.openingError(error, path).damage == nil ? "\(error)" : nil
        }
    }

    /// Reads up to `count` rows, tombstones first; nil at the end.
    mutating func next(_ count: Int) -> Part? {
        guard let queue else { return nil }
        limit.begin()
        if !tombstones.isDone {
            let found = tombstones.next(count, of: queue) { try? Tombstone(row: $0) }
            return Part(tombstones: found.filter { $0.deletedAt >= oldestTombstone })
        }
        guard !frames.isDone else { return nil }
        return Part(frames: frames.next(count, of: queue) { try? NumberedRow(row: $0) })
    }

    func close() { try? queue?.close() }
}

/// Position in a table that may be partly unreadable.
///
/// Reads from the first row up to a failure, then from the last row down to it.
private struct SalvagedTable {
    let name: String
    /// Column of the primary key, which gives the order.
    let key: String
    /// True once all readable rows were read.
    var isDone = false
    var isFromEnd = false
    /// Last key read from the start.
    var low = "".databaseValue
    /// Last key read from the end.
    ///
    /// Initially longer than an id, so it sorts after every text and every id.
    var high = DatabaseValue(bytes: repeatElement(0xFF, count: 17))

    /// Reads up to `count` rows and converts them, skipping those that `read` rejects; an empty result does not mean
    /// the end.
    mutating func next<Value>(_ count: Int, of queue: DatabaseQueue, _ read: (Row) -> Value?) -> [Value] {
        var (found, steps): ([Value], Int) = ([], 0)
        let order = isFromEnd ? "DESC" : "ASC"
        let sql = "SELECT * FROM \(name) WHERE \(key) > ? AND \(key) < ? ORDER BY \(key) \(order) LIMIT ?"
        do {
            try queue.read { database in
                let rows = try Row.fetchCursor(database, sql: sql, arguments: [low, high, count])
                while let row = try rows.next() {
                    steps += 1
                    let end = row[key] as DatabaseValue? ?? .null
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
