// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// The SQLite database of what is in a spool; used on the storage thread only, but for the one of a ``CatalogReader``.
final class Catalog {
    /// Why a catalog cannot be opened.
    struct OpeningError: Error {
        var problem: Problem
        /// What cannot be read any more, where that is why; the files can rebuild it.
        var damage: String?
    }

    let path: String
    let clock: any MonotonicClock
    let logger: Logger

    /// The reason to set it aside; nil while nothing that was read was wrong.
    var damage: String?
    /// The greatest ``NumberedRow/number`` that a row was given.
    var lastNumber: Int64 = 0

    private let queue: DatabaseQueue
    private let limit: StatementLimit
    /// The second connection; nil where there is none, as where the catalog is not shared.
    private(set) var reader: CatalogReader?
    private var isFlushing = true

    /// Opens or makes the catalog at `path`; one of a newer version is refused, and one that lacks tables is damaged.
    ///
    /// Blocks at most some 2 seconds for another program that holds it. Only where `isShared` can other programs read it
    /// meanwhile: they find their way through the log by a file that all map (`-shm`), and not every file system can be
    /// trusted with that.
    init(
        path: String,
        isShared: Bool = true,
        limit: StatementLimit = StatementLimit(),
        clock: any MonotonicClock,
        logger: Logger
    ) throws(OpeningError) {
        self.path = path
        self.clock = clock
        self.logger = logger
        self.limit = limit
        // Exclusive before the first look into the file: only then is the log's index in memory of this process.
        var configuration = Self.configuration(
            "catalog",
            limit,
            "PRAGMA locking_mode = \(isShared ? "NORMAL" : "EXCLUSIVE")"
        )
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(2)
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            // Here, since GRDB's own choice for WAL mode comes after what prepares the connection.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Self.checkVersion(of: queue, path)
            try CatalogSchema.migrator.migrate(queue)
            limit.begin()
            try queue.read { try CatalogSchema.check($0) }
            lastNumber = try queue.read { try Self.greatestNumber($0) }
        } catch {
            throw Self.openingError(error, path)
        }
    }

    /// What a ``CatalogReader`` reads from, by its own connection.
    init(
        reading queue: DatabaseQueue,
        path: String,
        limit: StatementLimit,
        clock: any MonotonicClock,
        logger: Logger
    ) {
        self.path = path
        self.clock = clock
        self.logger = logger
        self.queue = queue
        self.limit = limit
    }

    /// What each connection is opened with, and `pragma` first of all.
    static func configuration(_ label: String, _ limit: StatementLimit, _ pragma: String) -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.prepareDatabase { database in
            limit.begin()
            limit.watch(database)
            try database.execute(sql: pragma)
            // The pages that a large transaction left behind are given back at the next checkpoint.
            try database.execute(sql: "PRAGMA journal_size_limit = 8388608")
            // Pages that are damaged are told as such, and nothing in the schema calls what could do harm.
            try database.execute(sql: "PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    /// Opens the second connection, which from now on brings the log into the main file.
    ///
    /// Where that fails, this one does both, as where the catalog is not shared.
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

    /// The first row of a query of all columns of `frame`; nil if there is none.
    func row(_ sql: String, _ arguments: StatementArguments, _ database: Database) throws -> FrameRow? {
        try FrameRow.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments) throws(Problem) -> [FrameRow] {
        try read { try FrameRow.fetchAll(try $0.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// Throws where a part of the schema has gone since it was opened, and notes that as damage.
    func checkSchema() throws(Problem) { try read { try CatalogSchema.check($0) } }

    /// Brings everything into the main file and closes it.
    func close() throws(Problem) {
        reader?.close()
        try perform("close") { queue in
            // Released without this, it would try the checkpoint once more, unmarked.
            defer { try? queue.close() }
            _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        }
    }

    /// The result of `body` on the database; its errors become failures to `operation` the catalog.
    ///
    /// A statement that takes too long is damage unless a client has `asked` for it. It is a call to the disk, which may never
    /// answer.
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

    /// The result of reads in `body`, all of them as of one moment.
    func read<Value>(asked: Bool = false, _ body: (Database) throws -> Value) throws(Problem) -> Value {
        try perform("read", asked: asked) { queue in try queue.read { try limited($0, body) } }
    }

    /// The result of `body` once its changes are in the catalog, all or nothing, and on the disk if `isDurable`.
    func write<Value>(isDurable: Bool, _ body: (Database) throws -> Value) throws(Problem) -> Value {
        try perform("write") { queue in
            // Only outside a transaction may this change. In WAL mode, NORMAL does not flush at a commit, and a later
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
