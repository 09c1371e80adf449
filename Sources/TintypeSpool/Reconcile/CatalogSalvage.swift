// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// The readable rows of a catalog that was set aside: pins, tags and deletions are in no file.
///
/// On one thread, which it blocks.
struct CatalogSalvage {
    /// The rows that one step has read; an empty step does not mean the end.
    enum Part: Sendable {
        case tombstones([Tombstone])
        case frames([NumberedRow])
    }

    /// Why it cannot be opened now, while later it may be; nil if it is open, or nothing can be read of it that is not in
    /// the files too.
    let obstacle: String?

    private let queue: DatabaseQueue?
    private let limit = StatementLimit()
    private var tombstones = SalvagedTable(name: "tombstone", key: "path")
    private var frames = SalvagedTable(name: "frame", key: "id")

    /// Opens a catalog that was set aside.
    init(path: String) {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(2)
        configuration.label = "salvage"
        let limit = limit
        configuration.prepareDatabase { database in
            limit.begin()
            limit.watch(database)
            // As of a catalog that is not shared: the index of the log is in memory of this process, not in a file.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            // Any program may have made it.
            try database.execute(sql: "PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            obstacle = nil
        } catch {
            queue = nil
            let isDamage = (error as? DatabaseError).map { Self.damages.contains($0.resultCode) } ?? false
            obstacle = isDamage ? nil : "\(error)"
        }
    }

    /// The errors of SQLite for a file that is no database, or none of ours.
    private static let damages: [ResultCode] = [
        .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT,
        .SQLITE_INTERRUPT,
    ]

    /// The next that can be read, of `count` rows at most, what was deleted first; nil at the end.
    mutating func next(_ count: Int) -> Part? {
        guard let queue else { return nil }
        limit.begin()
        if !tombstones.isDone {
            let found = tombstones.next(count, of: queue) { try? Tombstone(row: $0) }
            return .tombstones(found.filter { $0.deletedAt >= Tombstone.oldest() })
        }
        guard !frames.isDone else { return nil }
        return .frames(frames.next(count, of: queue) { try? NumberedRow(row: $0) })
    }

    /// Closes it.
    func close() { try? queue?.close() }
}

/// How far a table was read of which a part may be unreadable: from the first row up to where that fails, then from the
/// last down to there.
struct SalvagedTable {
    private enum Direction {
        case fromStart
        case fromEnd
        case done
    }

    let name: String
    /// The column by which it is in order.
    let key: String
    private var direction = Direction.fromStart
    /// Behind the keys that were read from the start; then, before those that were read from the end.
    private var low = "".databaseValue
    /// Longer than an id: behind every text, and every id.
    private var high = DatabaseValue(bytes: repeatElement(0xFF, count: 17))

    init(name: String, key: String) {
        self.name = name
        self.key = key
    }

    /// Whether all was read that can be.
    var isDone: Bool { direction == .done }

    /// What `read` makes of the next rows that can be read, of `count` at most, but for those of which it makes nothing;
    /// none does not mean the end.
    mutating func next<Value>(_ count: Int, of queue: DatabaseQueue, _ read: (Row) -> Value?) -> [Value] {
        var sound: [Value] = []
        var steps = 0
        var isBroken = false
        var end: DatabaseValue?
        do {
            let order = direction == .fromEnd ? "DESC" : "ASC"
            let sql = "SELECT * FROM \(name) WHERE \(key) > ? AND \(key) < ? ORDER BY \(key) \(order) LIMIT ?"
            try queue.read { database in
                let rows = try Row.fetchCursor(database, sql: sql, arguments: [low, high, count])
                while let row = try rows.next() {
                    steps += 1
                    guard let value = read(row) else { continue }
                    sound.append(value)
                    end = row[key] as DatabaseValue?
                }
            }
        } catch {
            isBroken = true
        }
        if let end {
            if direction == .fromEnd { high = end } else { low = end }
        }
        if !isBroken, steps < count {
            direction = .done
        } else if isBroken || sound.isEmpty {
            // Nothing behind it can be reached this way.
            direction = direction == .fromStart ? .fromEnd : .done
        }
        return sound
    }
}
