// SPDX-License-Identifier: Apache-2.0

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
