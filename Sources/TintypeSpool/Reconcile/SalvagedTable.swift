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
    private var (low, high) = ("", "\u{10FFFF}")

    init(name: String, key: String) {
        self.name = name
        self.key = key
    }

    /// Whether all was read that can be.
    var isDone: Bool { direction == .done }

    /// The next rows that can be read, of `count` at most; none does not mean the end.
    ///
    /// `read` notes what each row of a query is, nil for one with invalid values.
    mutating func next<Value>(
        _ count: Int,
        of queue: DatabaseQueue,
        key value: (Value) -> String,
        _ read: (Database, String, StatementArguments, (Value?) -> Void) throws -> Void
    ) -> [Value] {
        var sound: [Value] = []
        var steps = 0
        var isBroken = false
        do {
            let order = direction == .fromEnd ? "DESC" : "ASC"
            let sql = "SELECT * FROM \(name) WHERE \(key) > ? AND \(key) < ? ORDER BY \(key) \(order) LIMIT ?"
            try queue.read { database in
                // A view in place of the table could go on without end.
                guard try database.tableExists(name) else { return }
                try read(database, sql, [low, high, count]) { value in
                    steps += 1
                    if let value { sound.append(value) }
                }
            }
        } catch {
            isBroken = true
        }
        if let end = sound.last.map(value) {
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
