// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// One-shot result of work posted to another thread, awaited by one task with a deadline.
///
/// Waiting depends on the clock only: a thread hung in a driver or on a disk does not hold up the waiter.
package final class Reply<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Void, Never>, until: MonotonicTime)
        case answered(Result<Value, Problem>)
    }

    private let state = Mutex(State.open)
    private let clock: any MonotonicClock
    package init(clock: any MonotonicClock) { self.clock = clock }

    /// Sets the answer; only the first call has an effect and returns true; any thread.
    @discardableResult
    package func resolve(_ answer: Result<Value, Problem>) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            if case .answered = state { return (false, nil) }
            defer { state = .answered(answer) }
            if case .awaited(let waiter, _) = state { return (true, waiter) }
            return (true, nil)
        }
        waiter?.resume()
        return isFirst
    }

    package var isAwaited: Bool { answer == nil }

    package var answer: Result<Value, Problem>? {
        state.withLock { state in
            if case .answered(let answer) = state { answer } else { nil }
        }
    }

    /// Nil if there is no answer by `moment`.
    ///
    /// Cancelling the task answers with a problem of code `stopping`, which the other thread can see.
    package func wait(until moment: MonotonicTime) async -> Result<Value, Problem>? {
        if let answer { return answer }
        let alarm = clock.now < moment ? clock.setAlarm(moment) { [weak self] in self?.expire() } : nil
        await settled(until: moment)
        if let alarm { clock.cancelAlarm(alarm) }
        return answer
    }

    /// Throws the problem of the answer, `otherwise` at `deadline`, or a problem of code `stopping` if cancelled.
    ///
    /// The reply is answered in each case, so the other thread can skip its work.
    package func value(
        until deadline: MonotonicTime,
        otherwise: @autoclosure () -> Problem
    ) async throws(Problem) -> Value {
        if let answer = await wait(until: deadline) { return try answer.get() }
        resolve(.failure(otherwise()))
        guard let answer else { throw otherwise() }
        return try answer.get()
    }

    /// Wakes the waiter without an answer, unless its own deadline is later than that of the alarm.
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
                    // The alarm may have fired before the continuation was stored.
                    if clock.now >= moment { return true }
                    state = .awaited(continuation, until: moment)
                    return false
                }
                if isSettled { continuation.resume() }
            }
        } onCancel: {
            resolve(.failure(.requestAbandoned))
        }
    }
}

/// One-shot flag, safe to use from any thread.
package final class OnceFlag: Sendable {
    private let raised = Atomic(false)
    package init() {}
    package var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// True for the first call only.
    @discardableResult
    package func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}

extension Problem {
    package static let requestAbandoned = Problem(
        .stopping,
        "The request was abandoned.",
        remedy: "Send it again.",
        retryAfter: .seconds(1)
    )
}
