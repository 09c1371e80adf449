// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Wakes one task again and again, at once or at a time; any thread, never blocks.
///
/// An alarm that is earlier than needed is kept, so a task that is mostly woken before its deadline sets one for many
/// sleeps.
package final class TaskWaker: Sendable {
    private struct State {
        var isWoken = false
        var sleeper: CheckedContinuation<Void, Never>?
        var alarm: (moment: MonotonicTime, id: UInt64)?
    }

    private let state = Mutex(State())
    private let clock: any MonotonicClock
    package init(clock: any MonotonicClock) { self.clock = clock }

    deinit { state.withLock { if let alarm = $0.alarm { clock.cancelAlarm(alarm.id) } } }

    /// Ends the current sleep of the task, or its next one.
    package func wake() {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let sleeper = state.sleeper.take()
            state.isWoken = sleeper == nil
            return sleeper
        }
        sleeper?.resume()
    }

    /// For one task only: sleeps until woken, until `moment` at the latest, or until the task is cancelled; may return
    /// early.
    package func sleep(until moment: MonotonicTime?) async {
        if let moment { setAlarm(for: moment) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWoken = state.withLock { state in
                    if !state.isWoken { state.sleeper = continuation }
                    return exchange(&state.isWoken, with: false)
                }
                if isWoken { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    private func setAlarm(for moment: MonotonicTime) {
        state.withLock { state in
            if let alarm = state.alarm {
                guard moment < alarm.moment else { return }
                clock.cancelAlarm(alarm.id)
            }
            state.alarm = (moment, clock.setAlarm(moment) { [weak self] in self?.wake(by: moment) })
        }
    }

    private func wake(by moment: MonotonicTime) {
        state.withLock { state in if state.alarm?.moment == moment { state.alarm = nil } }
        wake()
    }
}
