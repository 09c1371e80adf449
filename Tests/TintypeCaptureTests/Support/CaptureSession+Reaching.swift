// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeCapture
import TintypeModel

extension CaptureSession {
    /// Waits up to ten seconds for the state `name`.
    func reaches(_ name: SessionState.Name) async -> Bool { await reaches { $0.name == name } }

    /// Waits up to ten seconds for a state that satisfies `condition`.
    func reaches(_ condition: @escaping @Sendable (SessionState) -> Bool) async -> Bool {
        let isReached = await TestClock().reaches { condition(self.status.state) }
        await TestClock().settle()
        return isReached
    }
}
