// SPDX-License-Identifier: Apache-2.0

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
