// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

/// The latest events of the daemon, in order; any thread, never blocks.
///
/// A client is a position in the journal: a slow one later gets the events in between, or a gap with their number.
final class EventJournal: EventService, Service {
    static let capacity = 8192
    static let mostAtOnce = 256

    /// An event and the time at which it was appended, which unlike that in the event no step of the clock changes.
    struct Entry: Sendable {
        let event: Event
        let moment: MonotonicTime
    }

    private struct State {
        /// Number of the newest event; numbers are consecutive.
        var newest: Int
        /// Ring buffer; ``EventJournal/index(of:)`` gives the place of a number.
        var events: [Entry] = []
        var clients: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var nextClient: UInt64 = 0

        /// Number of the event before the oldest in the buffer.
        var beforeOldest: Int { newest - events.count }
    }

    private let start: Int
    private let clock: any MonotonicClock
    private let state: Mutex<State>
    private let clients = Meter(label: MetricName.eventClients.rawValue)

    /// Numbers start after earlier journals, at the microseconds since 1970.
    init(now: Timestamp, clock: any MonotonicClock) {
        self.clock = clock
        start = Int(now.microseconds)
        state = Mutex(State(newest: start))
    }

    func append(_ event: Event) {
        let clients = state.withLock { state in
            var event = event
            state.newest += 1
            event.id = state.newest
            let entry = Entry(event: event, moment: clock.now)
            if state.events.count < Self.capacity {
                state.events.append(entry)
            } else {
                state.events[index(of: state.newest)] = entry
            }
            return Array(state.clients.values)
        }
        // Outside the lock: yielding needs the client's task, and a cancelled task waits for the lock (``remove(_:)``).
        for client in clients { client.yield() }
    }

    private func index(of number: Int) -> Int { (number - start - 1) % Self.capacity }
    var newest: Int { state.withLock(\.newest) }
    func events(after last: Int) -> [Event] { entries(after: last).map(\.event) }

    /// Like ``events(after:)``, with the time of each; a gap has the present one.
    func entries(after last: Int) -> [Entry] {
        state.withLock { state in
            var place = last
            var found: [Entry] = []
            if last == 0 {
                // All that there are, for a client that has none: it misses nothing.
                place = state.beforeOldest
            } else if last < start || last > state.newest {
                // From an earlier daemon, or one whose clock was ahead.
                place = state.beforeOldest
                found = [Entry(event: .gap(nil, after: place), moment: clock.now)]
            } else if last < state.beforeOldest {
                place = state.beforeOldest
                found = [Entry(event: .gap(place - last, after: place), moment: clock.now)]
            }
            let end = min(state.newest, place + Self.mostAtOnce)
            return place < end ? found + (place + 1...end).map { state.events[index(of: $0)] } : found
        }
    }

    /// Number of events after number `last` that `isWanted` selects, and the time of the first.
    func count(after last: Int, where isWanted: (Event) -> Bool) -> (count: Int, first: MonotonicTime?) {
        state.withLock { state in
            let unread = max(last, state.beforeOldest)..<max(last, state.newest)
            return unread.reduce(into: (0, nil)) { found, place in
                let entry = state.events[index(of: place + 1)]
                guard isWanted(entry.event) else { return }
                found = (found.count + 1, found.first ?? entry.moment)
            }
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

    /// Signals all clients periodically, to show that the daemon is alive, until graceful shutdown or cancellation.
    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await self.clock.sleep(for: .seconds(5))) != nil {
                for client in self.state.withLock({ Array($0.clients.values) }) { client.yield() }
            }
        }
    }
}

/// Polls the health of the daemon, emits events on changes, and passes on camera status.
struct HealthWatch: Service {
    static let pause = Duration.seconds(2)

    let clock: any MonotonicClock
    /// Does not open cameras.
    let cameras: @Sendable () async -> [CameraStatus]
    /// Does not wait for a disk.
    let health: @Sendable ([CameraStatus]) -> Health
    let tell: EventSink
    var publish: @Sendable ([CameraStatus]) -> Void = { _ in }
    func run() async { await cancelWhenGracefulShutdown { await poll() } }

    private func poll() async {
        var events = HealthEvents()
        repeat {
            let cameras = await cameras()
            for event in events.events(for: health(cameras)) { tell(event) }
            publish(cameras)
        } while (try? await clock.sleep(for: Self.pause)) != nil
    }
}

/// The daemon counts as healthy initially.
struct HealthEvents {
    private var reported: Set<[String?]> = []

    mutating func events(for health: Health) -> [Event] {
        let reasons = health.reasons ?? []
        let causes = reasons.map(\.cause)
        defer { reported = Set(causes) }
        guard reported != Set(causes) else { return [] }
        guard !reasons.isEmpty else { return [Event(.healthy, "Everything works again.")] }
        let low = zip(causes, reasons).filter { cause, reason in
            [.spoolLow, .spoolFull].contains(reason.code) && !reported.contains(cause)
        }
        let lows = low.map { _, reason in Event(.spoolLow, spool: reason.spool, reason.detail) }
        let details = reasons.map(\.detail).joined(separator: " ")
        var degraded = Event(.degraded, "The daemon is \(health.status.rawValue). \(details)")
        degraded.reasons = reasons
        return lows + [degraded]
    }
}
