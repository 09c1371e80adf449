// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Recorder of events, in order.
package final class ToldEvents: Sendable {
    private let events = Mutex<[Event]>([])

    package init() {}

    package var all: [Event] { events.withLock(\.self) }

    package func tell(_ event: Event) { events.withLock { $0.append(event) } }
}
