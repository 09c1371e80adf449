// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// Tells what a session does, each change once, as events; in the hub, under its lock.
///
/// A camera that is tried again and again in vain is told of once, and again when the reason is another one.
struct ToldStates: Sendable {
    let camera: String
    let tell: EventSink
    private(set) var told: (name: SessionState.Name, code: ProblemCode?) = (.off, nil)
    private(set) var isLost = false
    /// Whether a driver call that hangs was told, and its return was not.
    private(set) var isStuck = false

    /// Tells what the session does now, unless a driver call hangs.
    mutating func show(_ state: SessionState) {
        let (name, code) = (state.name, state.reason?.code)
        guard !isStuck, name != told.name || code != told.code, !(isLost && name == .opening) else { return }
        told = (name, code)
        tell(.state(state, of: camera))
        switch state {
        case .interrupted, .failed:
            guard !isLost else { return }
            isLost = true
            turn(.cameraLost, state, "The camera \(camera) gives no pictures.")
        case .settling, .running, .degraded:
            guard isLost else { return }
            isLost = false
            turn(.cameraBack, state, "The camera \(camera) gives pictures again.")
        case .off, .opening: break
        }
    }

    /// Tells of a driver call that hangs.
    mutating func showStuck(_ problem: Problem) {
        show(.failed(reason: problem))
        isStuck = true
    }

    /// Tells that the call has returned, and what the session does now.
    mutating func showReturn(to state: SessionState) {
        isStuck = false
        show(state)
    }

    private func turn(_ kind: Event.Kind, _ state: SessionState, _ detail: String) {
        var event = Event(kind, camera: camera, state.reason.map { "\(detail) \($0.detail)" } ?? detail)
        event.state = state
        tell(event)
    }
}

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
