// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// The readable rows of a catalog that was set aside: pins, tags and deletions are in no file.
///
/// On one thread, which it blocks.
struct CatalogSalvage {
    /// The rows that one step has read; an empty step does not mean the end.
    struct Part: Sendable {
        var tombstones: [Tombstone] = []
        var frames: [NumberedRow] = []
    }

    /// Why it cannot be opened now, while later it may be; nil if it is open, or nothing can be read of it that is not in
    /// the files too.
    let obstacle: String?

    private let queue: DatabaseQueue?
    private let oldestTombstone: Timestamp
    private let limit = StatementLimit()
    private var tombstones = SalvagedTable(name: "tombstone", key: "path")
    private var frames = SalvagedTable(name: "frame", key: "id")

    /// Opens the catalog at `path`, of whose tombstones those of `oldestTombstone` and later count.
    init(path: String, oldestTombstone: Timestamp) {
        self.oldestTombstone = oldestTombstone
        // As of a catalog that is not shared: the index of the log is in memory of this process, not in a file.
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

    /// The next that can be read, of `count` rows at most, what was deleted first; nil at the end.
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

/// How far a table was read of which a part may be unreadable: from the first row up to where that fails, then from the
/// last down to there.
private struct SalvagedTable {
    let name: String
    /// The column by which it is in order.
    let key: String
    /// Whether all was read that can be.
    var isDone = false
    var isFromEnd = false
    /// Behind what was read from the start.
    var low = "".databaseValue
    /// Before what was read from the end; at first longer than an id: behind every text, and every id.
    var high = DatabaseValue(bytes: repeatElement(0xFF, count: 17))

    /// What `read` makes of the next rows that can be read, of `count` at most, but for those of which it makes nothing;
    /// none does not mean the end.
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
            // Nothing behind it can be reached this way.
            (isDone, isFromEnd) = (isFromEnd, true)
        }
        return found
    }
}
