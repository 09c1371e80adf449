// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Recorder of events, in order.
package final class ToldEvents: Sendable {
    private let events = Mutex<[Event]>([])

    /// Creates an empty recorder.
    package init() {}

    /// Recorded events.
    package var all: [Event] { events.withLock(\.self) }

    /// Records an event, from any thread.
    package func tell(_ event: Event) { events.withLock { $0.append(event) } }
}
