// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// The SQLite database of what is in a spool; used on the storage thread only.
final class Catalog {
    /// What can be wrong with a catalog when it is opened.
    enum OpeningError: Error {
        /// It cannot be read any more; the files can rebuild it.
        case damaged(String)
        /// Anything else, as it is told.
        case failed(Problem)
    }

    /// Its file.
    let path: String

    /// Why it has to be set aside; nil while nothing that was read was wrong.
    private(set) var damage: String?

    private let queue: DatabaseQueue
    private var isFlushing = true

    /// Opens or makes the catalog at `path` and brings it to the present version.
    ///
    /// Blocks at most some 2 seconds for another program that holds it. Only where `isShared` can other programs read it
    /// meanwhile: they find their way through the log by a file that all map (`-shm`), and not every file system can be
    /// trusted with that.
    init(path: String, isShared: Bool = true) throws(OpeningError) {
        self.path = path
        do {
            queue = try DatabaseQueue(path: path, configuration: Self.configuration(isShared: isShared))
            // Here, since GRDB's own choice for WAL mode comes after what prepares the connection.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let migrator = CatalogSchema.migrator
            guard try !queue.read(migrator.hasBeenSuperseded) else {
                throw OpeningError.failed(
                    Problem(
                        .spoolUnavailable,
                        "The catalog \(path) was written by a newer version of tintyped.",
                        remedy: "Install that version again, or name another spool folder with --spool."
                    )
                )
            }
            try migrator.migrate(queue)
            // A table that is not there, or not as the version says, shows at once.
            _ = try queue.read { try Row.fetchOne($0, sql: "SELECT * FROM frame LIMIT 1") }
        } catch let error as OpeningError {
            throw error
        } catch {
            throw Self.openingError(error, path)
        }
    }

    private static func configuration(isShared: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(2)
        configuration.label = "catalog"
        configuration.prepareDatabase { database in
            // Before the first look into the file: only then is the log's index in memory of this process.
            if !isShared { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            // What a large transaction left behind is given back at the next checkpoint.
            try database.execute(sql: "PRAGMA journal_size_limit = 8388608")
        }
        return configuration
    }

    /// Puts rows in, all or none; returns once they are on the disk if `isDurable`.
    ///
    /// A tombstone of one of their paths is gone with that: another picture has the name now.
    func insert(_ rows: [FrameRow], isDurable: Bool) throws(Problem) {
        try write(isDurable: isDurable) { database in
            for row in rows { try row.insert(database) }
        }
    }

    /// The row of that name; nil if there is none.
    func row(_ id: FrameID) throws(Problem) -> FrameRow? {
        try perform("read") { queue in
            try queue.read { try FrameRow.filter(Column("id") == id.description).fetchOne($0) }
        }
    }

    /// Brings everything into the main file and closes it.
    func close() throws(Problem) {
        try perform("close") { queue in
            _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try queue.close()
        }
    }

    /// What `body` makes of the database; its errors are told as failures to `operation` the catalog.
    func perform<Value>(
        _ operation: String,
        _ body: (DatabaseQueue) throws -> Value
    ) throws(Problem) -> Value {
        do {
            return try body(queue)
        } catch {
            damage = damage ?? Self.damage(error)
            throw Self.problem(error, operation, path)
        }
    }

    /// What `body` reads, all of it as of one moment.
    func read<Value>(_ body: (Database) throws -> Value) throws(Problem) -> Value {
        try perform("read") { try $0.read(body) }
    }

    /// What `body` returns once what it changed is in the catalog, all or nothing, and on the disk if `isDurable`.
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
            return try queue.write(body)
        }
    }
}
