// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// A part of the program that a watchdog checks for progress.
package struct Heartbeat: Sendable {
    package let name: String
    /// Unique as long as this value exists.
    package let id: ObjectIdentifier
    /// Makes the part call `answer` as soon as it is scheduled; never blocks.
    package let ask: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    /// True if the part waits for something a restart would not fix; it need not answer then.
    package let isExcused: @Sendable () -> Bool

    /// `owner` gives the `id` and must live as long as this value.
    package init(
        _ name: String,
        of owner: AnyObject,
        isExcused: @escaping @Sendable () -> Bool = { false },
        ask: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    ) {
        (self.name, self.ask, self.isExcused) = (name, ask, isExcused)
        id = ObjectIdentifier(owner)
    }

    package static let pool = Heartbeat("the cooperative pool", of: poolOwner) { answer in Task { answer() } }

    package static let alarms = Heartbeat("the alarm clock", of: alarmsOwner) { answer in
        _ = SystemClock.system.setAlarm(SystemClock.system.now, answer)
    }

    private static let (poolOwner, alarmsOwner) = (Owner(), Owner())

    private final class Owner: Sendable {}
}

/// The blocking call a thread is in, into a driver or to a disk: written by the thread, read by any, lock-free.
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
