// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeAPI
import TintypeModel

/// Events sent by a test, delivered in pages.
final class FakeEvents: EventService {
    private let state = Mutex<(events: [Event], clients: [AsyncStream<Void>.Continuation])>(([], []))

    static let pageSize = 2

    /// Adds the initial events, numbered from 1.
    init(_ events: [Event] = []) { for event in events { tell(event) } }

    func tell(_ event: Event) {
        state.withLock { state in
            var event = event
            event.id = state.events.count + 1
            state.events.append(event)
            for client in state.clients { client.yield() }
        }
    }

    var newest: Int { state.withLock { $0.events.count } }

    func events(after last: Int) -> [Event] {
        Array(state.withLock { $0.events.dropFirst(last).prefix(Self.pageSize) })
    }

    func signals() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { client in
            client.yield()
            state.withLock { $0.clients.append(client) }
        }
    }
}
