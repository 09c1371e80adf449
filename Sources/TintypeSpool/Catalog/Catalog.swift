// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// SQLite database of the frames in a spool, on the storage thread or on that of its ``CatalogReader``.
final class Catalog {
    struct OpeningError: Error {
        var problem: Problem
        /// Description of the damage, if that is the cause; the catalog can be rebuilt from the files.
        var damage: String?
    }

    let path: String
    let clock: any MonotonicClock
    let logger: Logger

    /// Reason to set the catalog aside; nil if no damage was found.
    var damage: String?
    var lastNumber: Int64 = 0
    /// Number of failed inserts of stills since the last successful one.
    var failures = 0
    private(set) var isClosed = false
    /// Version of the database for which the totals were counted; see ``CameraTotals/version(of:)``.
    var countedVersion: Int64?

    private let queue: DatabaseQueue
    private let limit: StatementLimit
    /// The second connection; nil if the catalog is not shared or the connection failed.
    private(set) var reader: CatalogReader?
    private var isFlushing = true

    /// Opens or creates the catalog at `path`.
    ///
    /// Refuses a newer version, and reports missing tables as damage. Blocks for up to 2 seconds if another program
    /// holds a lock. Other programs can read the catalog only if `isShared`: that needs the WAL index as a shared
    /// memory map (`-shm`), which not all file systems support reliably. If `isDiskFull`, nothing is written now, so
    /// that a catalog that cannot be written is found at the first change only.
    init(
        path: String,
        isShared: Bool = true,
        isDiskFull: Bool = false,
        limit: StatementLimit = StatementLimit(),
        clock: any MonotonicClock,
        logger: Logger
    ) throws(OpeningError) {
        self.path = path
        self.clock = clock
        self.logger = logger
        self.limit = limit
        // Set before the first access: only then is the WAL index kept in heap memory.
        var configuration = Self.configuration(
            "catalog",
            limit,
            "PRAGMA locking_mode = \(isShared ? "NORMAL" : "EXCLUSIVE")"
        )
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
            countedVersion = try queue.writeWithoutTransaction { try CameraTotals.create(in: $0) }
            lastNumber = try queue.read { try Self.greatestNumber($0) }
        } catch {
            throw Self.openingError(error, path)
        }
    }

    init(reading queue: DatabaseQueue, path: String, limit: StatementLimit, clock: any MonotonicClock, logger: Logger) {
        self.path = path
        self.clock = clock
        self.logger = logger
        self.queue = queue
        self.limit = limit
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

    /// Opens the second connection, which from then on makes the checkpoints; if that fails, this one reads and makes
    /// them, as for a catalog that is not shared.
    func openReader() {
        do {
            let reader = try CallRecord.marking { try CatalogReader(path: path, clock: clock, logger: logger) }
            queue.writeWithoutTransaction { reader.watchLog(of: $0) }
            self.reader = reader
        } catch {
            logger.warning("The catalog \(path) cannot be opened a second time, for reading: \(error)")
        }
    }

    func row(_ id: FrameID) throws(Problem) -> FrameRow? {
        try read { try self.row("SELECT * FROM frame WHERE id = ?", [id.databaseValue], $0) }
    }

    func row(at path: String) throws(Problem) -> FrameRow? {
        try read { try self.row("SELECT * FROM frame WHERE path = ?", [path], $0) }
    }

    /// First row of a query that selects all columns of `frame`.
    func row(_ sql: String, _ arguments: StatementArguments, _ database: Database) throws -> FrameRow? {
        try FrameRow.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments) throws(Problem) -> [FrameRow] {
        try read { try FrameRow.fetchAll(try $0.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// Throws if a part of the schema is missing, and records that as damage.
    func checkSchema() throws(Problem) { try read { try CatalogSchema.check($0) } }

    /// Checkpoints the WAL, truncates it and closes the database.
    func close() throws(Problem) {
        isClosed = true
        reader?.close()
        try perform("close") { queue in
            // Otherwise deallocation would repeat the checkpoint without a `CallRecord` mark.
            defer { try? queue.close() }
            _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        }
    }

    /// Runs `body` on the database and maps its errors to failures to `operation` the catalog.
    ///
    /// Exceeding the time limit counts as damage unless a client `asked` for the statement. Marked in the `CallRecord`:
    /// the disk may never answer.
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
            // `synchronous` cannot change inside a transaction. In WAL mode, NORMAL does not flush at a commit; a later
            // flush covers it.
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
}
