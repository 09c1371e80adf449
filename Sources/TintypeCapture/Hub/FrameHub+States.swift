// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// What the session is doing, for everybody who wants to be told.
extension FrameHub {
    /// The most changes that wait for one who is told of them.
    static let mostChanges = 64

    /// Publishes what the session does from `moment` on.
    func enter(_ state: SessionState, at moment: MonotonicTime) {
        self.state.withLock { hub in
            hub.snapshot.state = state
            hub.stateSince = moment
            // In the lock, which keeps their order; to yield is to put into a buffer.
            for watcher in hub.watchers.values { watcher.yield(StateChange(state: state, at: moment)) }
        }
    }

    /// The session has ended: there are no further changes.
    func endStates() {
        let watchers = state.withLock { hub in
            hub.hasEnded = true
            return Array(hub.watchers.values)
        }
        for watcher in watchers { watcher.finish() }
    }

    /// See ``CaptureSession/states()``.
    func states() -> AsyncStream<StateChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.mostChanges)) { watcher in
            let id = state.withLock { hub -> UInt64? in
                watcher.yield(StateChange(state: hub.snapshot.state, at: hub.stateSince))
                guard !hub.hasEnded else { return nil }
                hub.nextWatcher += 1
                hub.watchers[hub.nextWatcher] = watcher
                return hub.nextWatcher
            }
            guard let id else { return watcher.finish() }
            watcher.onTermination = { [weak self] _ in self?.state.withLock { $0.watchers[id] = nil } }
        }
    }
}
