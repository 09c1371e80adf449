// SPDX-License-Identifier: Apache-2.0
internal import GRDB

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
                // A view in place of the table could go on without end.
                guard try database.tableExists(name) else { return }
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
