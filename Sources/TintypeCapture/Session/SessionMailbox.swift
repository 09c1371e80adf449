// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Mailbox of a session: holds pending messages and wakes the session's task, once for several; any thread, never
/// blocks.
final class SessionMailbox: Sendable {
    struct Command: Sendable {
        let name: String
        let isAwaited: @Sendable () -> Bool
        let run: @Sendable (isolated SessionLoop) async -> Void
    }

    private struct State {
        var commands: [Command] = []
        var events: [CameraEvent] = []
        var isRetryAsked = false
        /// Callbacks that fail pending replies, by reply.
        var refusals: [ObjectIdentifier: @Sendable (Problem) -> Void] = [:]
    }

    private let state = Mutex(State())
    /// Wakes the session's task, which sleeps between its turns.
    let waker: TaskWaker

    init(clock: any MonotonicClock) { waker = TaskWaker(clock: clock) }

    /// Queues a command for the next turn, in place of abandoned ones of the same name, and so of the same effect.
    func post<Value>(
        _ name: String,
        for reply: Reply<Value>,
        _ run: @escaping @Sendable (isolated SessionLoop) async -> Void
    ) {
        add { state in
            state.commands.removeAll { $0.name == name && !$0.isAwaited() }
            state.commands.append(Command(name: name, isAwaited: { reply.isAwaited }, run: run))
        }
    }

    func tell(_ event: CameraEvent) { add { $0.events.append(event) } }
    func askForRetry() { add { $0.isRetryAsked = true } }
    func takeCommands() -> [Command] { take(\.commands, leaving: []) }
    func takeEvents() -> [CameraEvent] { take(\.events, leaving: []) }

    func takeRetry() -> Bool { take(\.isRetryAsked, leaving: false) }
    var commandCount: Int { state.withLock(\.commands.count) }

    private func add(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        waker.wake()
    }

    private func take<Value: Sendable>(_ path: WritableKeyPath<State, Value>, leaving rest: Value) -> Value {
        state.withLock { exchange(&$0[keyPath: path], with: rest) }
    }

    /// Registers `refuse`, to be called by ``refuseAll(_:)`` until ``forget(_:)``.
    func expect(_ reply: ObjectIdentifier, _ refuse: @escaping @Sendable (Problem) -> Void) {
        state.withLock { $0.refusals[reply] = refuse }
    }

    func forget(_ reply: ObjectIdentifier) { state.withLock { _ = $0.refusals.removeValue(forKey: reply) } }

    /// Fails all registered replies because the session ends, even during a hung driver call.
    func refuseAll(_ problem: Problem) {
        let refusals = state.withLock { Array($0.refusals.values) }
        for refuse in refusals { refuse(problem) }
    }
}
