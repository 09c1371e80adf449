// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// The end of something that another configuration gives up; for one task that waits for it.
final class Retirement: Sendable {
    private struct State {
        var isRetired = false
        var isAtWork = false
        /// Told when the work has ended.
        var waiters: [Reply<Void>] = []
    }

    private let stream = AsyncStream.makeStream(of: Never.self)
    private let state = Mutex(State())

    func retire() {
        state.withLock { $0.isRetired = true }
        stream.continuation.finish()
    }

    /// Cancels what is done in ``whileWanted(_:)``, and waits for its end, until `deadline` by `clock` at the latest.
    func retire(until deadline: MonotonicTime, by clock: any MonotonicClock) async {
        retire()
        let ended = Reply<Void>(clock: clock)
        let isAtWork = state.withLock { state in
            state.waiters.append(ended)
            return state.isAtWork
        }
        if isAtWork { _ = await ended.wait(until: deadline) }
    }

    /// Does all of `works` until one of them ends, as at graceful shutdown, or it is given up; then they are cancelled.
    ///
    /// Does nothing where it has been given up before.
    func whileWanted(_ works: [@Sendable () async -> Void]) async {
        let isWanted = state.withLock { state in
            state.isAtWork = !state.isRetired
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
