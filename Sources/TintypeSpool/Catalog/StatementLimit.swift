// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import Synchronization
internal import TintypeModel

/// Interrupts statements that use too much CPU time, because of a cycle in a damaged index or an expensive filter:
/// they fail with SQLITE_INTERRUPT; waiting for a slow disk does not count.
final class StatementLimit: Sendable {
    /// CPU time per read or write transaction; a catalog of a million rows needs 0.05 s.
    let time: Duration

    /// Virtual machine instructions between two checks, a few tenths of a millisecond (sqlite3_progress_handler).
    private static let operations: CInt = 10_000

    private let end = Atomic<Int64>(.max)

    init(time: Duration = .seconds(5)) { self.time = time }

    /// Installs the progress handler on a connection, which must not outlive this object.
    func watch(_ database: Database) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_progress_handler(
            database.sqliteConnection,
            Self.operations,
            { context in
                guard let context = unsafe context else { return 0 }
                let limit = unsafe Unmanaged<StatementLimit>.fromOpaque(context).takeUnretainedValue()
                return limit.isSpent ? 1 : 0
            },
            context
        )
    }

    /// Restarts the budget of ``time`` for statements on the calling thread.
    func begin() { end.store(Self.used() + time.nanosecondCount, ordering: .relaxed) }

    var isSpent: Bool { Self.used() > end.load(ordering: .relaxed) }

    /// CPU time of the calling thread in nanoseconds (CLOCK_THREAD_CPUTIME_ID).
    static func used() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
