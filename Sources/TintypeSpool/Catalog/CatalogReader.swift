// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import GRDBSQLite
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// A second connection to an open catalog, with its own thread `tt-read`.
///
/// Serves client queries and makes the WAL checkpoints, so that no store waits for either. It returns nil on any fault:
/// the storage thread then repeats the query. An answer includes everything committed before (“Isolation In SQLite”).
final class CatalogReader: Sendable {
    /// Number of new WAL pages that triggers a checkpoint, as in SQLite's own, which runs on the committing thread.
    static let checkpointPages = 1000
    /// Number of WAL pages from which the committing thread makes the checkpoint itself.
    ///
    /// The WAL restarts only after a complete checkpoint, which only the committing thread can make under continuous
    /// commits: else pages arrive during each ``checkpoint()``. Most of its 16 MiB are checkpointed by then.
    static let mostPages = 4 * checkpointPages

    /// For calls that are safe on any thread.
    let queue: DatabaseQueue
    /// Nil once closed: GRDB forbids the use of a closed connection.
    let catalog: Mutex<Catalog?>
    let thread = WorkerThreads<Void>(name: "tt-read", count: 1) {}
    private let limit: StatementLimit
    private let log = Mutex(Log())

    private struct Log {
        /// Number of WAL pages at the last checkpoint request; 0 after the WAL restarted.
        var asked = 0
        var isAsked = false
    }

    /// Opens the second connection to the catalog at `path`, which must be open and shared; blocks.
    init(path: String, limit: StatementLimit = StatementLimit(), clock: any MonotonicClock, logger: Logger) throws {
        self.limit = limit
        // A checkpoint flushes according to the setting of its own connection.
        let configuration = CatalogConnection.configuration("catalog-reader", limit, "PRAGMA synchronous = FULL")
        queue = try DatabaseQueue(path: path, configuration: configuration)
        let connection = CatalogConnection(reading: queue, path, limit: limit)
        catalog = Mutex(Catalog(reading: connection, clock: clock, logger: logger))
    }

    /// Row of a frame; nil if there is none, and on any fault.
    func row(_ id: FrameID) -> FrameRow? {
        try? answer { catalog throws(Problem) in try catalog.frame(id) }?.get()
    }

    /// Result of `query`, or the problem if it took too much CPU time, which the storage thread must not spend again; nil
    /// on any other fault.
    func answer<Value: Sendable>(_ query: (Catalog) throws(Problem) -> Value) -> Result<Value, Problem>? {
        catalog.withLock { catalog in
            guard let catalog else { return nil }
            do throws(Problem) {
                return .success(try query(catalog))
            } catch {
                // Damage is for the storage thread to find, which has the catalog rebuilt.
                return limit.isSpent && catalog.connection.damage == nil ? .failure(error) : nil
            }
        }
    }

    /// Interrupts the current read and closes the connection, so that later queries return nil; blocks until a running
    /// read or checkpoint has ended, which is soon, since both are interrupted.
    func close() {
        // Marked because the reader's thread may itself be waiting for the disk.
        CallRecord.marking {
            queue.interrupt()
            catalog.withLock { catalog in
                catalog = nil
                try? queue.close()
            }
        }
    }

    /// Installs a WAL hook on `writer`, which must not outlive this object (sqlite3_wal_hook).
    func watchLog(of writer: Database) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_wal_hook(
            writer.sqliteConnection,
            { context, connection, name, pages in
                guard let context = unsafe context else { return SQLITE_OK }
                let reader = unsafe Unmanaged<CatalogReader>.fromOpaque(context).takeUnretainedValue()
                reader.logHas(pages: Int(pages))
                if pages >= CatalogReader.mostPages {
                    unsafe sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            },
            context
        )
    }

    private func logHas(pages: Int) {
        let isDue = log.withLock { log in
            if pages < log.asked { log.asked = 0 }
            guard !log.isAsked, pages - log.asked >= Self.checkpointPages else { return false }
            log = Log(asked: pages, isAsked: true)
            return true
        }
        guard isDue else { return }
        thread.submit { [self] _ in
            checkpoint()
            log.withLock { $0.isAsked = false }
        }
    }

    /// Makes a PASSIVE checkpoint, which flushes the WAL first; on failure a later commit asks again.
    private func checkpoint() {
        catalog.withLock { catalog in
            guard catalog != nil else { return }
            try? CallRecord.marking {
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
            }
        }
    }
}
