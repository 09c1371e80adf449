// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// The answer to something posted to another thread: given once, awaited by one task, until a deadline.
///
/// Awaiting it never waits for the other thread itself, so that a thread that hangs in a driver or on a dead disk
/// holds up no other.
package final class Reply<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Void, Never>, until: MonotonicTime)
        case answered(Result<Value, Problem>)
    }

    private let state = Mutex(State.open)

    /// By which deadlines are told.
    private let clock: any MonotonicClock

    /// A reply that was not given yet, with deadlines by `clock`.
    package init(clock: any MonotonicClock) { self.clock = clock }

    /// Gives the answer; the first one counts.
    ///
    /// Returns whether this was the first, so that the giver knows whether it was received. Called on any thread.
    @discardableResult
    package func resolve(_ answer: Result<Value, Problem>) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            switch state {
            case .answered: return (false, nil)
            case .open:
                state = .answered(answer)
                return (true, nil)
            case .awaited(let waiter, _):
                state = .answered(answer)
                return (true, waiter)
            }
        }
        waiter?.resume()
        return isFirst
    }

    /// Whether an answer would still be received.
    package var isAwaited: Bool { answer == nil }

    /// The answer, if it has been given.
    package var answer: Result<Value, Problem>? {
        state.withLock { state in
            if case .answered(let answer) = state { answer } else { nil }
        }
    }

    /// Waits for the answer until `moment` and returns it; nil if there is none by then.
    ///
    /// A task that is cancelled gets, and leaves for the giver to see, a problem with code `stopping`.
    package func wait(until moment: MonotonicTime) async -> Result<Value, Problem>? {
        if let answer { return answer }
        let alarm = clock.now < moment ? clock.setAlarm(moment) { [weak self] in self?.expire() } : nil
        await settled(until: moment)
        if let alarm { clock.cancelAlarm(alarm) }
        return answer
    }

    /// The answer.
    ///
    /// Throws the problem it was answered with, `otherwise` at `deadline`, and a problem with code `stopping` when
    /// the task is cancelled: no task reads it by then.
    package func value(
        until deadline: MonotonicTime,
        otherwise: @autoclosure () -> Problem
    ) async throws(Problem) -> Value {
        if let answer = await wait(until: deadline) { return try answer.get() }
        resolve(.failure(otherwise()))
        guard let answer else { throw otherwise() }
        return try answer.get()
    }

    /// Wakes the waiter without an answer, but not one that waits for longer than the one whose alarm this is.
    private func expire() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .awaited(let waiter, let moment) = state, clock.now >= moment else { return nil }
            state = .open
            return waiter
        }
        waiter?.resume()
    }

    private func settled(until moment: MonotonicTime) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isSettled = state.withLock { state in
                    if case .answered = state { return true }
                    // Its alarm may have rung before there was anybody to wake.
                    if clock.now >= moment { return true }
                    state = .awaited(continuation, until: moment)
                    return false
                }
                if isSettled { continuation.resume() }
            }
        } onCancel: {
            resolve(
                .failure(
                    Problem(.stopping, "The request was abandoned.", remedy: "Send it again.", retryAfter: .seconds(1))
                )
            )
        }
    }
}
