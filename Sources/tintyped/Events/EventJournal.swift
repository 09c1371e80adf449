// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

/// The last events of the daemon, in their order.
///
/// A client is no more than a place in it: one that is slow, or away for a while, finds what came meanwhile, or a gap with
/// the number of events that are missing. Any thread; never blocks.
final class EventJournal: EventService {
    static let capacity = 8192
    static let mostAtOnce = 256

    private struct State {
        /// The number of the newest event; those before have the numbers before.
        var newest: Int
        /// The newest stands before `next`, in a ring once there are ``EventJournal/capacity``.
        var events: [Event] = []
        var next = 0
        var clients: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var nextClient: UInt64 = 0

        /// The number of the event before the oldest that is kept.
        var beforeOldest: Int { newest - events.count }

        func event(_ number: Int) -> Event {
            let age = newest - number
            let index = next - 1 - age
            return events[index < 0 ? index + events.count : index]
        }
    }

    /// The number before the first event of this journal.
    private let start: Int
    private let clock: any MonotonicClock
    private let state: Mutex<State>
    private let clients = Meter(label: MetricName.eventClients.rawValue)

    /// A journal without events, whose numbers begin after those of one that was made `now` and earlier: after the
    /// microseconds since 1970.
    ///
    /// Its clients look again by `clock`.
    init(now: Timestamp, clock: any MonotonicClock) {
        self.clock = clock
        start = Int(now.microseconds)
        state = Mutex(State(newest: start))
    }

    /// Gives an event its number, and tells the clients that there is one.
    func tell(_ event: Event) {
        let clients = state.withLock { state in
            var event = event
            state.newest += 1
            event.id = state.newest
            if state.events.count < Self.capacity {
                state.events.append(event)
                state.next = state.events.count
            } else {
                state.next %= Self.capacity
                state.events[state.next] = event
                state.next += 1
            }
            return Array(state.clients.values)
        }
        // Not in the lock: this needs the client's task, and a task that is cancelled waits for the lock (``remove(_:)``).
        for client in clients { client.yield() }
    }

    var newest: Int { state.withLock(\.newest) }

    func events(after last: Int) -> [Event] {
        state.withLock { state in
            var place = last
            var found: [Event] = []
            if last < start || last > state.newest {
                // Of an earlier daemon, or of one whose clock was ahead.
                place = state.beforeOldest
                found = [.gap(nil, after: place)]
            } else if last < state.beforeOldest {
                place = state.beforeOldest
                found = [.gap(place - last, after: place)]
            }
            let end = min(state.newest, place + Self.mostAtOnce)
            return place < end ? found + (place + 1...end).map(state.event) : found
        }
    }

    func signals() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { client in
            client.yield()
            let number = state.withLock { state in
                state.nextClient += 1
                state.clients[state.nextClient] = client
                clients.set(state.clients.count)
                return state.nextClient
            }
            client.onTermination = { [weak self] _ in self?.remove(number) }
        }
    }

    private func remove(_ number: UInt64) {
        state.withLock { state in
            state.clients[number] = nil
            clients.set(state.clients.count)
        }
    }
}

extension EventJournal: Service {
    /// The time between two looks of clients that are told nothing.
    private static let pause = Duration.seconds(5)

    /// Has clients look again and again, so that one that is told nothing learns that the daemon is there, until graceful
    /// shutdown or cancellation.
    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await self.clock.sleep(for: Self.pause)) != nil {
                for client in self.state.withLock({ Array($0.clients.values) }) { client.yield() }
            }
        }
    }
}
