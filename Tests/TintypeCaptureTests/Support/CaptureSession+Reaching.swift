// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeCapture
import TintypeModel

extension CaptureSession {
    /// Whether the session is in this state, or gets there within ten seconds.
    nonisolated func reaches(_ name: SessionState.Name) async -> Bool { await reaches { $0.name == name } }

    /// Whether the session is, or gets within ten seconds, into a state that is as said.
    nonisolated func reaches(_ condition: @escaping @Sendable (SessionState) -> Bool) async -> Bool {
        let states = states()
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await change in states where condition(change.state) { return true }
                return false
            }
            group.addTask {
                try? await TestClock().sleep(for: .seconds(10))
                return false
            }
            defer { group.cancelAll() }
            let isReached = await group.next() ?? false
            await TestClock().settle()
            return isReached
        }
    }
}
