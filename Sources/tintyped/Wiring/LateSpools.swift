// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSpool

/// The spools that did not answer in time when they were asked last, so that a list of many pages does not wait for them
/// at each.
final class LateSpools: Sendable {
    private let names = Mutex<Set<String>>([])

    /// The answer of `spool` within `timeLimit`, or within a second if it did not answer the last time.
    func ask<Value: Sendable>(
        _ spool: any FrameStore,
        _ timeLimit: Duration,
        _ question: (MonotonicTime) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let name = spool.name
        let isLate = names.withLock { $0.contains(name) }
        do throws(Problem) {
            let answer = try await question(.now() + (isLate ? min(timeLimit, .seconds(1)) : timeLimit))
            _ = names.withLock { $0.remove(name) }
            return answer
        } catch {
            if error.code == .deadlineExceeded { _ = names.withLock { $0.insert(name) } }
            throw error
        }
    }
}
