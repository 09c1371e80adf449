// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import GRDBSQLite
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// A second connection to an open catalog, on a thread of its own, `tt-read`: for what clients ask, and for bringing the
/// log into the main file (a checkpoint), so that no store waits for either.
///
/// It is a short cut and decides nothing: it answers what it can read without any fault, and what was committed before
/// it was asked is in the answer (SQLite, “Isolation In SQLite”). Everything else is for the storage thread to find out.
final class CatalogReader: Sendable {
    /// After how many new pages of the log they are brought into the main file; SQLite does it as often by itself, on
    /// the thread that commits.
    static let checkpointPages = 1000
    /// How many pages the log has before the thread that commits does it.
    ///
    /// The log starts over only once all of it is in the main file. Where one commit follows the other, some pages always
    /// come while ``checkpoint()`` goes on: only the thread that commits can then bring it to an end. A log of 16 MiB is
    /// little beside the pictures, and most of its pages are in the main file by then.
    static let mostPages = 4 * checkpointPages

    /// For the calls that any thread may make.
    let queue: DatabaseQueue
    /// Nil once it is closed: a connection that is must not be used (GRDB).
    private let catalog: Mutex<Catalog?>
    let thread = WorkerThreads<Void>(name: "tt-read", count: 1) {}
    private let log = Mutex(Log())

    private struct Log {
        /// Its pages when a checkpoint was last asked for, 0 once it has started over.
        var asked = 0
        var isAsked = false
    }

    /// Opens the second connection to the catalog at `path`, which is open and shared; blocks.
    init(path: String, clock: any MonotonicClock, logger: Logger) throws {
        let limit = StatementLimit()
        // The flushes of a checkpoint are those of its connection.
        let configuration = Catalog.configuration("catalog-reader", limit, "PRAGMA synchronous = FULL")
        queue = try DatabaseQueue(path: path, configuration: configuration)
        catalog = Mutex(Catalog(reading: queue, path: path, limit: limit, clock: clock, logger: logger))
    }

    /// The row of that name; nil if there is none, or none that can be read without fault.
    func row(_ id: FrameID) -> FrameRow? { catalog.withLock { try? $0?.row(id) } }

    /// A page of a list of rows; nil if one of them, or an index, cannot be read without fault.
    func page(_ query: FrameQuery) -> (rows: [FrameRow], next: FrameCursor?)? {
        catalog.withLock { try? $0?.page(query) }
    }

    /// Ends what it reads just now and closes the connection: later questions have no answer.
    ///
    /// Blocks until a read or a checkpoint has ended, which is soon: both are interrupted.
    func close() {
        // Of the disk too is what the reader's thread waits for meanwhile.
        CallRecord.marking {
            queue.interrupt()
            catalog.withLock { catalog in
                catalog = nil
                try? queue.close()
            }
        }
    }

    // MARK: - The log

    /// Lets each commit of the connection `writer` tell how long the log is; this must live as long as that.
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

    /// Brings what is in the log into the main file, as far as no reader needs it as it was; the log is flushed first.
    ///
    /// Where it fails, the log keeps everything, and a later commit asks again.
    private func checkpoint() {
        catalog.withLock { catalog in
            guard catalog != nil else { return }
            try? CallRecord.marking {
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
            }
        }
    }
}
