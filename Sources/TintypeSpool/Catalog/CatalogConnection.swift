// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel
internal import TintypeSystem

/// A connection to the database of a catalog, on the storage thread or that of the ``CatalogReader``: transactions, and
/// the one place where errors of SQLite become problems.
final class CatalogConnection {
    struct OpeningError: Error {
        var problem: Problem
        /// Description of the damage, if that is the cause; the catalog can be rebuilt from the files.
        var damage: String?
    }

    let path: String
    /// Reason to set the catalog aside; nil if no damage was found.
    private(set) var damage: String?
    private(set) var isClosed = false
    private var isFlushing = true
    private let queue: DatabaseQueue
    private let limit: StatementLimit

    /// Opens or creates the database at `path`, and brings its schema up to date.
    ///
    /// Refuses a newer version, and reports missing tables as damage. Blocks for up to 2 seconds if another program
    /// holds a lock. Other programs can read the catalog only if `isShared`: that needs the WAL index as a shared
    /// memory map (`-shm`), which not all file systems support reliably. If `isDiskFull`, nothing is written now, so
    /// that a catalog that cannot be written is found at the first change only.
    init(_ path: String, isShared: Bool, isDiskFull: Bool, limit: StatementLimit) throws(OpeningError) {
        (self.path, self.limit) = (path, limit)
        // Set before the first access: only then is the WAL index kept in heap memory.
        let locking = "PRAGMA locking_mode = \(isShared ? "NORMAL" : "EXCLUSIVE")"
        var configuration = Self.configuration("catalog", limit, locking)
        // GRDB then writes to the log at once.
        if !isDiskFull { configuration.journalMode = .wal }
        configuration.busyMode = .timeout(2)
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            // Here because GRDB sets its own value for WAL mode after `prepareDatabase`.
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            }
            try Self.checkVersion(of: queue, path)
            try CatalogSchema.migrator().migrate(queue)
            limit.begin()
            try queue.read { try CatalogSchema.check($0) }
        } catch {
            throw Self.openingError(error, path)
        }
    }

    init(reading queue: DatabaseQueue, _ path: String, limit: StatementLimit) {
        (self.queue, self.path, self.limit) = (queue, path, limit)
    }

    /// Configuration of each connection; `pragma` is executed first.
    static func configuration(_ label: String, _ limit: StatementLimit, _ pragma: String) -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.prepareDatabase { database in
            limit.begin()
            limit.watch(database)
            try database.execute(sql: pragma)
            // For the totals, also on a full disk.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // Truncates the WAL after a large transaction, at the next checkpoint.
            try database.execute(sql: "PRAGMA journal_size_limit = 8388608")
            // Reports damaged pages, and keeps the schema from calling unsafe functions.
            try database.execute(sql: "PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    /// Checkpoints the WAL, truncates it and closes the database.
    func close() throws(Problem) {
        isClosed = true
        try perform("close") { queue in
            // Otherwise deallocation would repeat the checkpoint without a `CallRecord` mark.
            defer { try? queue.close() }
            _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        }
    }

    // MARK: - Transactions

    /// Runs `body` on the database and maps its errors to failures to `operation` the catalog.
    ///
    /// A timeout counts as damage unless a client `asked` for the statement. Marked in the `CallRecord`.
    func perform<Value>(
        _ operation: String,
        asked: Bool = false,
        _ body: (DatabaseQueue) throws -> Value
    ) throws(Problem) -> Value {
        do {
            return try CallRecord.marking { try body(queue) }
        } catch {
            damage = damage ?? Self.damage(error, asked: asked)
            throw Self.problem(error, operation, path)
        }
    }

    func read<Value>(asked: Bool = false, _ body: (Database) throws -> Value) throws(Problem) -> Value {
        try perform("read", asked: asked) { queue in try queue.read { try limited($0, body) } }
    }

    /// Runs `body` in one transaction; durable on return if `isDurable`.
    func write<Value>(isDurable: Bool, _ body: (Database) throws -> Value) throws(Problem) -> Value {
        try perform("write") { queue in
            // `synchronous` cannot change in a transaction. NORMAL does not flush at a commit; a later flush covers it.
            if isFlushing != isDurable {
                try queue.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
                }
                isFlushing = isDurable
            }
            return try queue.write { try limited($0, body) }
        }
    }

    private func limited<Value>(_ database: Database, _ body: (Database) throws -> Value) throws -> Value {
        limit.begin()
        return try body(database)
    }

    func opening<Value>(_ body: (DatabaseQueue) throws -> Value) throws(OpeningError) -> Value {
        do {
            return try body(queue)
        } catch {
            throw Self.openingError(error, path)
        }
    }

    // MARK: - Errors

    func isDamaged(_ reason: String) -> Problem {
        damage = damage ?? reason
        let detail = "The catalog \(path) is damaged: \(reason)."
        let remedy = "Wait: it is set aside and rebuilt from the files."
        return Problem(.spoolUnavailable, detail, remedy: remedy, retryAfter: .seconds(1))
    }

    /// Refuses a catalog of a newer version before anything is written to it.
    private static func checkVersion(of queue: DatabaseQueue, _ path: String) throws {
        guard try queue.read({ try CatalogSchema.newestVersion(in: $0) }) > CatalogSchema.version else { return }
        throw OpeningError(
            problem: Problem(
                .spoolUnavailable,
                "The catalog \(path) was written by a newer version of tintyped.",
                remedy: "Install that version again, or name another spool folder with --spool."
            )
        )
    }

    /// Classifies a failure to open: a damaged catalog, or one that is only out of reach.
    static func openingError(_ error: any Error, _ path: String) -> OpeningError {
        if let error = error as? OpeningError { return error }
        var damage = damage(error)
        if let error = error as? DatabaseError {
            switch error.resultCode {
            // SQLITE_ERROR: a valid database that lacks the tables it claims to have.
            case .SQLITE_ERROR, .SQLITE_CONSTRAINT: damage = text(of: error)
            // The header may mark the file read-only (byte 18, "File format version numbers" of SQLite's file format).
            case .SQLITE_READONLY
            where error.extendedResultCode == .SQLITE_READONLY && SystemCalls.isWritable(path):
                damage = text(of: error)
            default: break
            }
        }
        return OpeningError(problem: problem(error, "open", path), damage: damage)
    }

    static func problem(_ error: any Error, _ operation: String, _ path: String) -> Problem {
        guard let error = error as? DatabaseError else {
            let detail = "Cannot \(operation) the catalog \(path): \(error)."
            let remedy = "Please report this."
            return Problem(.internalError, detail, remedy: remedy)
        }
        var reason = text(of: error)
        var pause: Duration? = .seconds(10)
        let remedy: String
        switch error.resultCode {
        case .SQLITE_FULL: remedy = SpoolRemedy.full("the file system of the catalog")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            (remedy, pause) = ("End the other program that has it open for writing.", .seconds(2))
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH:
            (remedy, pause) = ("Wait: a damaged catalog is set aside and rebuilt from the files.", nil)
        case .SQLITE_INTERRUPT:
            reason = "it took too much processor time"
            (remedy, pause) = ("Ask with a simpler filter.", nil)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            remedy = "Let the daemon's user write to that file and its folder, on a file system mounted read-write."
        default: remedy = "Look for errors of the disk in the kernel's log (dmesg)."
        }
        return Problem(
            error.resultCode == .SQLITE_FULL ? .spoolFull : .spoolUnavailable,
            "Cannot \(operation) the catalog \(path): \(reason).",
            remedy: remedy,
            retryAfter: pause
        )
    }

    /// Damage that `error` indicates, if any; a timeout of what a client `asked` for is none.
    private static func damage(_ error: any Error, asked: Bool = false) -> String? {
        guard let error = error as? DatabaseError else { return nil }
        let isDamage =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH: true
            case .SQLITE_INTERRUPT: !asked
            // Integer overflow of a sum in a trigger.
            case .SQLITE_CONSTRAINT: error.extendedResultCode == .SQLITE_CONSTRAINT_DATATYPE
            default: false
            }
        return isDamage ? text(of: error) : nil
    }

    private static func text(of error: DatabaseError) -> String {
        "\(error.message ?? "SQLite gives no reason") (SQLite error \(error.extendedResultCode.rawValue))"
    }
}
