// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Emits each state change of a session once, as an event, and failed retries only if the reason changes; called under
/// the lock of the published state.
struct StateEventEmitter: Sendable {
    let camera: String
    let tell: EventSink
    private(set) var told: (name: SessionState.Name, code: ProblemCode?) = (.off, nil)
    private(set) var isLost = false
    /// True between the reports of a hung driver call and of its return.
    private(set) var isStuck = false
    /// True once a good frame came after the loss: a stream that starts may stay silent.
    private(set) var hasFrame = false

    /// Emits the new state, unless a driver call hangs.
    ///
    /// Reports the loss of the camera with the state, and its return with the first good frame.
    mutating func show(_ state: SessionState) {
        let (name, code) = (state.name, state.reason?.code)
        // Also at a failure like the last one, which is not told again.
        if [.interrupted, .failed].contains(name) { hasFrame = false }
        guard !isStuck, name != told.name || code != told.code, !(isLost && name == .opening) else { return }
        told = (name, code)
        tell(.state(state, of: camera))
        switch name {
        case .interrupted, .failed:
            guard !isLost else { return }
            isLost = true
            turn(.cameraLost, state, "The camera \(camera) gives no pictures.")
        case .settling, .running, .degraded: showBack(state)
        case .off, .opening: break
        }
    }

    /// Records a good frame; it may come just before the state of its stream.
    mutating func frameCame(in state: SessionState) {
        guard isLost else { return }
        hasFrame = true
        showBack(state)
    }

    /// Reports a lost camera as back if it streams and a good frame came.
    private mutating func showBack(_ state: SessionState) {
        guard isLost, hasFrame, !isStuck, state.isStreaming else { return }
        isLost = false
        turn(.cameraBack, state, "The camera \(camera) gives pictures again.")
    }

    mutating func showStuck(_ problem: Problem) {
        show(.failed(reason: problem))
        isStuck = true
    }

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
