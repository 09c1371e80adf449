// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import Synchronization
internal import TintypeModel

/// Ends statements that use too much processor time: a damaged index can lead in circles, and a filter can be made to take
/// for ever.
///
/// Waiting for a disk does not count, so that a slow one is not taken for a damaged catalog. SQLite asks every
/// ``operations`` of its virtual machine (sqlite3_progress_handler), and a statement that is ended fails with
/// SQLITE_INTERRUPT.
final class StatementLimit: Sendable {
    /// For one read or write of some statements: a catalog of a million rows needs 0.05 s.
    let time: Duration

    /// Some tenths of a millisecond.
    private static let operations: CInt = 10_000

    private let end = Atomic<Int64>(.max)

    init(time: Duration = .seconds(5)) { self.time = time }

    /// Watches over the statements of a connection, for which this must live.
    func watch(_ database: Database) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_progress_handler(
            database.sqliteConnection,
            Self.operations,
            { context in
                guard let context = unsafe context else { return 0 }
                let limit = unsafe Unmanaged<StatementLimit>.fromOpaque(context).takeUnretainedValue()
                return StatementLimit.used() > limit.end.load(ordering: .relaxed) ? 1 : 0
            },
            context
        )
    }

    /// Lets statements on this thread use ``time`` of the processor from now on, all together.
    func begin() { end.store(Self.used() + time.nanosecondCount, ordering: .relaxed) }

    /// The processor time of this thread in nanoseconds (CLOCK_THREAD_CPUTIME_ID).
    static func used() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
