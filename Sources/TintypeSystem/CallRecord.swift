// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// The blocking call a thread is in, into a driver or to a disk: written by the thread, read by any, lock-free.
///
/// A call that never returns can only be detected from outside.
package final class CallRecord: Sendable {
    /// Start time in nanoseconds, its lowest byte replaced by the number of the call; 0 if no call is running.
    private let mark = Atomic<UInt64>(0)

    package init() {}

    /// Marks the call while it runs; `number` must not be 0.
    package func during<R, E: Error>(
        _ number: UInt8,
        from start: MonotonicTime,
        _ body: () throws(E) -> R
    ) throws(E) -> R {
        // Calls may nest.
        let outer = mark.exchange(UInt64(start.nanoseconds) & ~0xFF | UInt64(number), ordering: .relaxed)
        defer { mark.store(outer, ordering: .relaxed) }
        return try body()
    }

    /// The start is rounded down to 256 ns.
    package var running: (number: UInt8, start: MonotonicTime)? {
        let mark = mark.load(ordering: .relaxed)
        guard mark != 0 else { return nil }
        return (UInt8(mark & 0xFF), MonotonicTime(nanoseconds: Int64(mark & ~0xFF)))
    }

    /// Marks a disk call that may never return in the record of the calling thread, if it is a ``NamedThread``.
    package static func marking<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        guard let record = NamedThread.record else { return try body() }
        return try record.during(1, from: .now(), body)
    }
}
