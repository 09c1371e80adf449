// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import GRDBSQLite
internal import Synchronization
internal import TintypeModel

@testable internal import TintypeSpool

/// A layer over SQLite's calls on the WAL of a catalog that counts flushes without performing them.
struct LogFlushes: Sendable {
    private static let counts = Mutex<[UInt: Int]>([:])

    /// Address of SQLite's object for the file.
    private let log: UInt

    var count: Int { Self.counts.withLock { $0[log] ?? 0 } }

    /// Counts the flushes of an open catalog.
    init(_ catalog: Catalog) throws(Problem) {
        log = try catalog.connection.read { database in
            var file: UnsafeMutablePointer<sqlite3_file>?
            unsafe sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
            guard let file = unsafe file else { throw DatabaseError(message: "the catalog has no log") }
            // Never freed: SQLite also closes the file through these methods.
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
