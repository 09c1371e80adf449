// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// A change of what a session is doing.
package struct StateChange: Hashable, Sendable {
    /// What it does from then on, and why.
    package let state: SessionState
    /// When it changed.
    package let at: MonotonicTime
}

extension CaptureSession {
    /// What the session is doing, and each change of it from now on, once and in order; ends with the session.
    ///
    /// A client that takes nothing loses the oldest changes beyond ``FrameHub/mostChanges``, and holds up nothing. Any
    /// thread; never blocks.
    package nonisolated func states() -> AsyncStream<StateChange> { hub.states() }
}
