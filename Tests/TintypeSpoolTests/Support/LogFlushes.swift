// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import GRDBSQLite
internal import Synchronization
internal import TintypeModel

@testable internal import TintypeSpool

/// A layer over the calls that SQLite makes on the log of a catalog: it counts the flushes, and makes none.
struct LogFlushes: Sendable {
    private static let counts = Mutex<[UInt: Int]>([:])

    /// The address of SQLite's record of the file.
    private let log: UInt

    /// How often the log was to be flushed.
    var count: Int { Self.counts.withLock { $0[log] ?? 0 } }

    /// Counts those of an open catalog.
    init(_ catalog: Catalog) throws(Problem) {
        log = try catalog.read { database in
            var file: UnsafeMutablePointer<sqlite3_file>?
            unsafe sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
            guard let file = unsafe file else { throw DatabaseError(message: "the catalog has no log") }
            // For as long as the process: the file is closed by its calls, too.
            let calls = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            unsafe calls.initialize(to: file.pointee.pMethods.pointee)
            unsafe calls.pointee.xSync = { file, _ in
                let log = UInt(bitPattern: file)
                LogFlushes.counts.withLock { $0[log, default: 0] += 1 }
                return SQLITE_OK
            }
            unsafe file.pointee.pMethods = UnsafePointer(calls)
            let log = UInt(bitPattern: file)
            Self.counts.withLock { $0[log] = 0 }
            return log
        }
    }
}
