// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Makes events of what a session does.
///
/// A camera that is tried again and again in vain is told of once, and again when the reason is another one.
struct StateEvents: Sendable {
    private let camera: String
    private var told: (name: SessionState.Name, code: ProblemCode?) = (.off, nil)
    private var isLost = false

    /// Those of a camera that is off.
    init(camera: String) { self.camera = camera }

    /// The events that a change to `state` is.
    mutating func events(for state: SessionState) -> [Event] {
        let (name, code) = (state.name, state.reason?.code)
        guard name != told.name || code != told.code, !(isLost && name == .opening) else { return [] }
        told = (name, code)
        let change = Event.state(state, of: camera)
        switch state {
        case .interrupted, .failed:
            guard !isLost else { return [change] }
            isLost = true
            return [change, turn(.cameraLost, state, "The camera \(camera) gives no pictures.")]
        case .settling, .running, .degraded:
            guard isLost else { return [change] }
            isLost = false
            return [change, turn(.cameraBack, state, "The camera \(camera) gives pictures again.")]
        case .off, .opening: return [change]
        }
    }

    private func turn(_ kind: Event.Kind, _ state: SessionState, _ detail: String) -> Event {
        var event = Event(kind, camera: camera, state.reason.map { "\(detail) \($0.detail)" } ?? detail)
        event.state = state
        return event
    }
}
