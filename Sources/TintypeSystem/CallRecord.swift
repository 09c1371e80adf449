// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// The call that a thread is in, into a driver or to a disk, for everybody else to see: one that never returns can be told
/// from outside only.
///
/// Written by its thread, read by any, without a lock.
package final class CallRecord: Sendable {
    /// Nanoseconds of the start, the lowest byte replaced by the call; 0 while no call is running.
    private let mark = Atomic<UInt64>(0)

    /// No call is running.
    package init() {}

    /// Runs one call, whose number is not 0, and marks it while it runs.
    package func during<R, E: Error>(
        _ number: UInt8,
        from start: MonotonicTime,
        _ body: () throws(E) -> R
    ) throws(E) -> R {
        // A call may be part of another.
        let outer = mark.exchange(UInt64(start.nanoseconds) & ~0xFF | UInt64(number), ordering: .relaxed)
        defer { mark.store(outer, ordering: .relaxed) }
        return try body()
    }

    /// The number of the call that is running, and when it began; nil for none.
    package var running: (number: UInt8, start: MonotonicTime)? {
        let mark = mark.load(ordering: .relaxed)
        guard mark != 0 else { return nil }
        return (UInt8(mark & 0xFF), MonotonicTime(nanoseconds: Int64(mark & ~0xFF)))
    }
}

extension CallRecord {
    /// Runs a call to a disk, which may never return, and marks it in the record of the calling thread, if it is one of
    /// ``NamedThread``.
    package static func marking<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        guard let record = NamedThread.record else { return try body() }
        return try record.during(1, from: .now(), body)
    }
}
