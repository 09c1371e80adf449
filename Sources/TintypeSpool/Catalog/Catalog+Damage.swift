// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Logging
internal import TintypeModel

/// A row of `frame` that holds what tintyped never writes.
struct DamagedRow {
    /// Its id as it is stored, whatever that is.
    var id: DatabaseValue
    /// As in: settled is -1.
    var reason: String
    /// Its value, as text.
    var text: String

    init(_ row: Row, _ reason: String) {
        id = row["id"] as DatabaseValue? ?? .null
        self.reason = reason
        text = String(row.description.prefix(4096))
    }

    /// Moves it; throws SQLITE_CORRUPT where what is derived from the rows, or an index of them, does not let it go.
    fileprivate func setAside(in database: Database) throws {
        do {
            try database.execute(sql: "DELETE FROM frame WHERE id IS ?", arguments: [id])
        } catch let error as DatabaseError where [.SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(error.resultCode) {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a damaged row cannot be removed: \(error)")
        }
        guard database.changesCount == 1 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a damaged row cannot be found by its id")
        }
        try database.execute(
            sql: "INSERT INTO damagedFrame VALUES (?, ?, ?)",
            arguments: [reason, text, Timestamp.now().microseconds]
        )
    }
}

extension Catalog {
    /// The most damaged rows of which what they held is kept.
    private static let mostKept = 1000

    /// The values of a row of `frame`; nil if it is damaged: it is set aside once the statement that reads it has
    /// ended.
    func sound<Value: FetchableRecord>(_ row: Row, as type: Value.Type = FrameRow.self) -> Value? {
        do {
            return try Value(row: row)
        } catch {
            repairs.damagedRows.append(DamagedRow(row, "\(error)"))
            return nil
        }
    }

    /// The first row of a query of all columns of `frame`; nil if there is none, or a damaged one.
    func row(_ sql: String, _ arguments: StatementArguments, _ database: Database) throws -> FrameRow? {
        try Row.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments).flatMap { sound($0) }
    }

    /// Moves the damaged rows that were read to `damagedFrame`, and says so once.
    ///
    /// Their files have no row then, and the next comparison takes them in. A row that cannot be moved is damage of the
    /// whole catalog, which is thrown; where only the disk is full, or may not be written, it is tried again when the row
    /// is read next. A reader throws it, and changes nothing.
    func setDamagedRowsAside() throws(Problem) {
        guard let first = repairs.damagedRows.first else { return }
        let rows = repairs.damagedRows
        repairs.damagedRows = []
        guard !isReader else { throw Self.problem(RowDamage(first.reason), "read", path) }
        do throws(Problem) {
            try write(isDurable: true) { database in
                for row in rows { try row.setAside(in: database) }
                try database.execute(
                    sql: "DELETE FROM damagedFrame WHERE rowid <= (SELECT max(rowid) FROM damagedFrame) - ?",
                    arguments: [Self.mostKept]
                )
            }
        } catch {
            guard damage == nil else { throw error }
            return logger.warning("A damaged row of the catalog stays for now: \(error)")
        }
        repairs.rowsSetAside += rows.count
        needsComparison = true
        logger.error(
            "Rows of the catalog are damaged: set aside; their pictures get new rows at the next comparison",
            metadata: ["count": "\(rows.count)", "frame": "\(first.id)", "reason": "\(first.reason)"]
        )
    }

    /// Whether what is derived from the rows was made again within the last minute: what is damaged of it still is that of
    /// damaged rows, which the comparison sets aside, and is passed over.
    var isDerived: Bool { repairs.lastDerived.map { MonotonicTime.now() - $0 < .seconds(60) } ?? false }

    /// Makes what is derived from the rows again: it does not agree with them.
    func derive(_ queue: DatabaseQueue) throws {
        do {
            try queue.write { database in
                limit.begin(StatementLimit.deriving)
                try database.execute(sql: CatalogSchema.derive)
                lastNumber = max(lastNumber, try Self.greatestNumber(database))
            }
        } catch let error as DatabaseError where [.SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(error.resultCode) {
            // Such as a sum that is too great.
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "rows cannot be counted: \(error)")
        }
        repairs.lastDerived = .now()
        needsComparison = true
        logger.error("The totals and tags of the catalog did not agree with its rows: they were made again")
    }

    /// Notes that the catalog is damaged; the problem to throw.
    func isDamaged(_ reason: String) -> Problem {
        damage = damage ?? reason
        return Self.problem(DatabaseError(resultCode: .SQLITE_CORRUPT, message: reason), "use", path)
    }

    /// The greatest number that a row has; 0 if there is none.
    static func greatestNumber(_ database: Database) throws -> Int64 {
        let sql = """
            SELECT max((SELECT max(number) FROM frame WHERE frame.camera = cameraTotal.camera AND isLost = lost.value
                AND frame.pinned = pinned.value))
                FROM cameraTotal, json_each('[0, 1]') AS lost, json_each('[0, 1]') AS pinned
            """
        let greatest = try Int64.fetchOne(database, sql: sql) ?? 0
        // A greater one is in a damaged row.
        return NumberedRow.numbers.contains(greatest) ? greatest : 0
    }
}
