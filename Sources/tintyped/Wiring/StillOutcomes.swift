// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// The outcomes of the stills that clients asked a camera for last; any thread, never blocks.
final class StillOutcomes: Sendable {
    private let state = Mutex<FailingStills?>(nil)

    /// The stills that failed since the last one that did not; nil for none.
    var failing: FailingStills? { state.withLock(\.self) }

    /// Does `take`, and notes whether it failed.
    func noting<Value: Sendable>(
        _ request: StillRequest,
        _ take: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        do throws(Problem) {
            let value = try await take()
            state.withLock { $0 = nil }
            return value
        } catch {
            state.withLock { state in
                state = FailingStills.adding(error, deadline: request.deadline, to: state, at: .now())
            }
            throw error
        }
    }
}
