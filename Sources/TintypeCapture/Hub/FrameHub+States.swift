// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// Clients that are told each change of what a session does; in the hub, under its lock.
struct StateWatch: Sendable {
    /// What they were told last, or will be told first.
    private(set) var shown: StateChange
    /// Whether they were told of a driver call that hangs.
    private var isStuck = false
    /// Nil once the session has ended: its state changes no more.
    private var watchers: [UInt64: AsyncStream<StateChange>.Continuation]? = [:]
    private var nextID: UInt64 = 0
    private var events: StateEvents
    private let tell: EventSink

    /// A session of `camera` that does what `shown` says, and no watchers; `tell` gets each change as events.
    init(shown: StateChange, camera: String, tell: @escaping EventSink) {
        self.shown = shown
        events = StateEvents(camera: camera)
        self.tell = tell
    }

    /// Whether a client wants to know.
    var isWatched: Bool { watchers?.isEmpty == false }

    /// Adds a client, which is told what the session does now; nil, and it is told no more, once the session has ended.
    mutating func add(_ watcher: AsyncStream<StateChange>.Continuation) -> UInt64? {
        watcher.yield(shown)
        guard watchers != nil else { return nil }
        nextID += 1
        watchers?[nextID] = watcher
        return nextID
    }

    /// The client has gone.
    mutating func remove(_ id: UInt64) { watchers?[id] = nil }

    /// Tells all of a change, unless the state is what they were told already, or a driver call hangs.
    mutating func show(_ state: SessionState, at moment: MonotonicTime) {
        guard !isStuck, state != shown.state else { return }
        shown = StateChange(state: state, at: moment)
        // To yield is to put into a buffer: the order stays.
        for watcher in watchers?.values ?? [:].values { watcher.yield(shown) }
        for event in events.events(for: state) { tell(event) }
    }

    /// Tells all of a driver call that hangs.
    mutating func showStuck(_ problem: Problem, at moment: MonotonicTime) {
        show(.failed(reason: problem), at: moment)
        isStuck = true
    }

    /// Tells all that the call has returned, and what the session does now.
    mutating func showReturn(to state: SessionState, at moment: MonotonicTime) {
        isStuck = false
        show(state, at: moment)
    }

    /// Takes the clients, for whom it is over.
    mutating func end() -> [AsyncStream<StateChange>.Continuation] {
        Array(watchers.take()?.values ?? [:].values)
    }
}

/// What the session is doing, for all who want to be told.
extension FrameHub {
    /// The most changes that wait for a client that is told of them.
    static let mostChanges = 64

    /// Publishes what the session does from `moment` on.
    func enter(_ state: SessionState, at moment: MonotonicTime) {
        self.state.withLock { hub in
            hub.snapshot.state = state
            hub.watch.show(state, at: moment)
        }
    }

    /// Tells the session's watchers of a driver call that hangs.
    func showStuck(_ problem: Problem) { state.withLock { $0.watch.showStuck(problem, at: clock.now) } }

    /// Tells them that it has returned.
    func showReturn() { state.withLock { $0.watch.showReturn(to: $0.snapshot.state, at: clock.now) } }

    /// Whether the session is watched, and has a device in its hands whose driver may hang.
    var isWatchedForHangs: Bool {
        state.withLock { hub in
            hub.watch.isWatched && (hub.snapshot.state == .opening || hub.snapshot.state.isStreaming)
        }
    }

    /// The session has ended: there are no further changes.
    func endStates() {
        let watchers = state.withLock { $0.watch.end() }
        for watcher in watchers { watcher.finish() }
    }

    /// See ``CaptureSession/states()``.
    func states() -> AsyncStream<StateChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.mostChanges)) { watcher in
            guard let id = state.withLock({ $0.watch.add(watcher) }) else { return watcher.finish() }
            watcher.onTermination = { [weak self] _ in self?.state.withLock { $0.watch.remove(id) } }
        }
    }
}
