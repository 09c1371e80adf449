// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// What is waiting for a session, and what wakes its one task for it; several things may be answered by one wake.
///
/// Any thread, and never blocks, unless said otherwise.
final class SessionInbox: Sendable {
    /// Something to be done in the session's turn.
    struct Command: Sendable {
        let name: String
        /// Whether a client still waits for its answer.
        let isAwaited: @Sendable () -> Bool
        let run: @Sendable (isolated CaptureSession) async -> Void
    }

    private struct State {
        var commands: [Command] = []
        var events: [CameraEvent] = []
        var isRetryAsked = false
        /// Refuses the answers that are waited for, by their replies.
        var refusals: [ObjectIdentifier: @Sendable (Problem) -> Void] = [:]
        var isWoken = false
        var sleeper: CheckedContinuation<Void, Never>?
        /// Wakes it at this moment.
        var alarm: (moment: MonotonicTime, id: UInt64)?
    }

    private let state = Mutex(State())

    private let clock: any MonotonicClock

    /// Nothing waits; alarms ring by `clock`.
    init(clock: any MonotonicClock) { self.clock = clock }

    deinit { state.withLock { if let alarm = $0.alarm { clock.cancelAlarm(alarm.id) } } }

    // MARK: - What waits

    /// A command is to be run in the next turn, after those that came before.
    ///
    /// One of the same name, as in `stop`, that was given up meanwhile is not: this one does the same.
    func post<Value>(
        _ name: String,
        for reply: Reply<Value>,
        _ run: @escaping @Sendable (isolated CaptureSession) async -> Void
    ) {
        add { state in
            state.commands.removeAll { $0.name == name && !$0.isAwaited() }
            state.commands.append(Command(name: name, isAwaited: { reply.isAwaited }, run: run))
        }
    }

    /// The camera's thread tells something.
    func tell(_ event: CameraEvent) { add { $0.events.append(event) } }

    /// A device that waits for its next attempt is to make it at once.
    func askForRetry() { add { $0.isRetryAsked = true } }

    /// The commands that have come since the last call.
    func takeCommands() -> [Command] { take(\.commands, leaving: []) }

    /// What the camera's thread has told since the last call.
    func takeEvents() -> [CameraEvent] { take(\.events, leaving: []) }

    /// Whether an attempt was asked for since the last call.
    func takeRetry() -> Bool { take(\.isRetryAsked, leaving: false) }

    /// How many commands wait.
    var commandCount: Int { state.withLock(\.commands.count) }

    private func add(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        wake()
    }

    private func take<Value: Sendable>(_ path: WritableKeyPath<State, Value>, leaving rest: Value) -> Value {
        state.withLock { exchange(&$0[keyPath: path], with: rest) }
    }

    // MARK: - Who waits for an answer

    /// Has `refuse` called by ``refuseAll(_:)`` until ``forget(_:)``.
    func expect(_ reply: ObjectIdentifier, _ refuse: @escaping @Sendable (Problem) -> Void) {
        state.withLock { $0.refusals[reply] = refuse }
    }

    /// The reply has its answer.
    func forget(_ reply: ObjectIdentifier) { state.withLock { _ = $0.refusals.removeValue(forKey: reply) } }

    /// Tells everybody who waits for the answer to a command that the session ends, also while a driver call hangs.
    func refuseAll(_ problem: Problem) {
        let refusals = state.withLock { Array($0.refusals.values) }
        for refuse in refusals { refuse(problem) }
    }

    // MARK: - Sleeping

    /// Ends the sleep of the task, or its next one.
    func wake() {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let sleeper = state.sleeper.take()
            state.isWoken = sleeper == nil
            return sleeper
        }
        sleeper?.resume()
    }

    /// Sleeps until it is woken, and until `moment` or shortly before at the latest; for the session's task alone.
    func sleep(until moment: MonotonicTime?) async {
        if let moment { setAlarm(for: moment) }
        await withCheckedContinuation { continuation in
            let isWoken = state.withLock { state in
                if !state.isWoken { state.sleeper = continuation }
                return exchange(&state.isWoken, with: false)
            }
            if isWoken { continuation.resume() }
        }
    }

    /// One that rings earlier stays: the session finds then that there is nothing to do, and sleeps on.
    private func setAlarm(for moment: MonotonicTime) {
        state.withLock { state in
            if let alarm = state.alarm {
                guard moment < alarm.moment else { return }
                clock.cancelAlarm(alarm.id)
            }
            state.alarm = (moment, clock.setAlarm(moment) { [weak self] in self?.wake(by: moment) })
        }
    }

    /// The alarm for `moment` has come.
    private func wake(by moment: MonotonicTime) {
        state.withLock { state in if state.alarm?.moment == moment { state.alarm = nil } }
        wake()
    }
}
