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

    private let queue: DatabaseQueue
    private var isFlushing = true

    /// Opens or makes the catalog at `path` and brings it to the present version.
    ///
    /// Blocks at most some 2 seconds for another program that holds it. `checking` looks through all of it first.
    init(path: String, checking: Bool) throws(OpeningError) {
        self.path = path
        do {
            queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            if checking {
                let verdict = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
                guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
            }
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
        } catch let error as OpeningError {
            throw error
        } catch {
            throw Self.openingError(error, path)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(2)
        configuration.label = "catalog"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // What a large transaction left behind is given back at the next checkpoint.
            try database.execute(sql: "PRAGMA journal_size_limit = 8388608")
        }
        return configuration
    }

    /// Puts rows in, all or none; returns once they are on the disk if `isDurable`.
    func insert(_ rows: [FrameRow], isDurable: Bool) throws(Problem) {
        try perform("write") { queue in
            try queue.writeWithoutTransaction { database in
                // Only outside a transaction may this change. In WAL mode, NORMAL does not flush at a commit, and a
                // later flush covers it.
                if isFlushing != isDurable {
                    try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
                    isFlushing = isDurable
                }
                try database.inTransaction(.immediate) {
                    for row in rows { try row.insert(database) }
                    return .commit
                }
            }
        }
    }

    /// The row of that name; nil if there is none.
    func row(_ id: FrameID) throws(Problem) -> FrameRow? {
        try perform("read") { queue in
            try queue.read { try FrameRow.filter(FrameRow.Columns.id == id.description).fetchOne($0) }
        }
    }

    /// Removes the rows of these paths, all or none, and returns once that is on the disk.
    func remove(paths: [String]) throws(Problem) {
        try perform("write") { queue in
            try queue.write { database in
                for path in paths {
                    try FrameRow.filter(FrameRow.Columns.path == path).deleteAll(database)
                }
            }
        }
    }

    /// The bytes of every picture, by its path.
    func sizes() throws(OpeningError) -> [String: Int] {
        do {
            return try queue.read { database in
                var sizes: [String: Int] = [:]
                // Every column, so that a row that cannot be read is found now and not when it is asked for.
                let rows = try FrameRow.fetchCursor(database, sql: "SELECT * FROM frame")
                while let row = try rows.next() { sizes[row.path] = row.bytes }
                return sizes
            }
        } catch {
            throw Self.openingError(error, path)
        }
    }

    /// The path of the picture that was captured last; nil if there is none.
    func latestPath(of camera: String) throws(Problem) -> String? {
        try perform("read") { queue in
            try queue.read { database in
                try FrameRow.filter(FrameRow.Columns.camera == camera)
                    .order(FrameRow.Columns.capturedAt.desc)
                    .fetchOne(database)?.path
            }
        }
    }

    /// Brings everything into the main file and closes it.
    func close() throws(Problem) {
        try perform("close") { queue in
            _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try queue.close()
        }
    }

    private func perform<Value>(
        _ operation: String,
        _ body: (DatabaseQueue) throws -> Value
    ) throws(Problem) -> Value {
        do {
            return try body(queue)
        } catch {
            throw Self.problem(error, operation, path)
        }
    }
}
