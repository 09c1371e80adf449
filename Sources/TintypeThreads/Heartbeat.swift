// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A part of the program that must move, as a watchdog asks it.
package struct Heartbeat: Sendable {
    /// The part, for the log.
    package let name: String
    /// What no other part has while this value is kept.
    package let id: ObjectIdentifier
    /// Has the part itself call `answer` as soon as it gets to it; never blocks.
    package let ask: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    /// Whether it waits for something that a restart would not mend, so that it need not answer.
    package let isExcused: @Sendable () -> Bool

    /// The heartbeat of the part `owner`, which lives as long as this.
    package init(
        _ name: String,
        of owner: AnyObject,
        isExcused: @escaping @Sendable () -> Bool = { false },
        ask: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    ) {
        (self.name, self.ask, self.isExcused) = (name, ask, isExcused)
        id = ObjectIdentifier(owner)
    }
}

extension Heartbeat {
    /// The cooperative pool, on which the tasks run.
    package static let pool = Heartbeat("the cooperative pool", of: poolOwner) { answer in Task { answer() } }

    /// The thread that ends what waits for a moment of the clock.
    package static let alarms = Heartbeat("the alarm clock", of: alarmsOwner) { answer in
        _ = SystemClock.system.setAlarm(SystemClock.system.now, answer)
    }

    private static let (poolOwner, alarmsOwner) = (Owner(), Owner())

    private final class Owner: Sendable {}
}

/// What the kernel says of a thread of this process.
enum KernelThread {
    /// Whether the thread waits for a disk or the like where no signal reaches it: state D of proc(5).
    ///
    /// Not even the end of its process ends such a wait. False for a thread that is gone.
    static func isUninterruptible(_ thread: pid_t) -> Bool {
        let file = unsafe open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { _ = close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe read(file, &bytes, bytes.count)
        // The name before it may have brackets, too.
        guard count > 0, let end = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
            return false
        }
        return bytes[end + 2] == UInt8(ascii: "D")
    }
}
