// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Cancellation signal for a task whose configuration was removed; for a single task.
final class CancellationSignal: Sendable {
    private let state = Mutex<(isCancelled: Bool, work: Task<Void, Never>?)>((false, nil))

    func cancel() {
        let work = state.withLock { state in
            state.isCancelled = true
            return state.work
        }
        work?.cancel()
    }

    /// Waits for the end of ``runUntilCancelled(_:)``, at most until `deadline`.
    func cancel(until deadline: MonotonicTime, by clock: any MonotonicClock) async {
        cancel()
        guard let work = state.withLock(\.work) else { return }
        let ended = Reply<Void>(clock: clock)
        Task {
            await work.value
            ended.resolve(.success(()))
        }
        _ = await ended.wait(until: deadline)
    }

    /// Runs `works` until one ends, as at graceful shutdown, or until cancelled; returns at once if that was before.
    func runUntilCancelled(_ works: [@Sendable () async -> Void]) async {
        let work = state.withLock { state -> Task<Void, Never>? in
            guard !state.isCancelled else { return nil }
            state.work = Task {
                await withTaskGroup(of: Void.self) { group in
                    for work in works { group.addTask { await work() } }
                    await group.next()
                    group.cancelAll()
                }
            }
            return state.work
        }
        await withTaskCancellationHandler {
            await work?.value
        } onCancel: {
            work?.cancel()
        }
    }
}
