// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Values noted by any thread, in order, and a task that waits for enough of them.
final class Recorder<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    var values: [Value] { state.withLock { $0.values } }

    func add(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.values.append(value)
            guard let waiting = state.waiting, state.values.count >= waiting.count else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        waiter?.resume()
    }

    /// Suspends until there are `count` values; one task at a time.
    func wait(forCount count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.values.count >= count { return true }
                state.waiting = (count, continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
