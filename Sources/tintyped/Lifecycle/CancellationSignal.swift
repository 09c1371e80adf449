// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Cancellation signal for a task whose configuration was removed; for a single task.
final class CancellationSignal: Sendable {
    private struct State {
        var isCancelled = false
        var isAtWork = false
        var waiters: [Reply<Void>] = []
    }

    private let stream = AsyncStream.makeStream(of: Never.self)
    private let state = Mutex(State())

    func cancel() {
        state.withLock { $0.isCancelled = true }
        stream.continuation.finish()
    }

    /// Waits for the end of ``runUntilCancelled(_:)``, at most until `deadline`.
    func cancel(until deadline: MonotonicTime, by clock: any MonotonicClock) async {
        cancel()
        let ended = Reply<Void>(clock: clock)
        let isAtWork = state.withLock { state in
            state.waiters.append(ended)
            return state.isAtWork
        }
        if isAtWork { _ = await ended.wait(until: deadline) }
    }

    /// Runs `works` until one ends, as at graceful shutdown, or until cancelled; returns at once if that was before.
    func runUntilCancelled(_ works: [@Sendable () async -> Void]) async {
        let isWanted = state.withLock { state in
            state.isAtWork = !state.isCancelled
            return state.isAtWork
        }
        guard isWanted else { return }
        await withTaskGroup(of: Void.self) { group in
            for work in works { group.addTask { await work() } }
            group.addTask { for await _ in self.stream.stream {} }
            await group.next()
            group.cancelAll()
        }
        let waiters = state.withLock { state in
            state.isAtWork = false
            return exchange(&state.waiters, with: [])
        }
        for waiter in waiters { waiter.resolve(.success(())) }
    }
}
