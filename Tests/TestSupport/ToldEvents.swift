// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Keeps what is told, in its order.
package final class ToldEvents: Sendable {
    private let events = Mutex<[Event]>([])

    /// Nothing is told yet.
    package init() {}

    /// All that was told.
    package var all: [Event] { events.withLock(\.self) }

    /// Takes an event; any thread.
    package func tell(_ event: Event) { events.withLock { $0.append(event) } }
}
