// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeCapture
import TintypeModel

extension CaptureSession {
    /// Whether the session is in this state, or gets there within ten seconds.
    nonisolated func reaches(_ name: SessionState.Name) async -> Bool { await reaches { $0.name == name } }

    /// Whether the session is, or gets within ten seconds, into a state that is as said.
    nonisolated func reaches(_ condition: @escaping @Sendable (SessionState) -> Bool) async -> Bool {
        let isReached = await TestClock().reaches { condition(self.status.state) }
        await TestClock().settle()
        return isReached
    }
}
