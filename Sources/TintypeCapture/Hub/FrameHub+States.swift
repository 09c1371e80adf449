// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// What the session is doing, for all who want to be told.
extension FrameHub {
    /// Publishes what the session does from now on.
    func enter(_ state: SessionState) {
        self.state.withLock { hub in
            hub.snapshot.state = state
            hub.states.show(state)
        }
    }

    /// Tells of a driver call that hangs.
    func showStuck(_ problem: Problem) { state.withLock { $0.states.showStuck(problem) } }

    /// Tells that it has returned.
    func showReturn() { state.withLock { $0.states.showReturn(to: $0.snapshot.state) } }
}
