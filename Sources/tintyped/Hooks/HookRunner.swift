// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Runs one hook for matching events that occur after its creation.
///
/// A client of the journal like others: while its command hangs or fails, it falls behind without blocking anything.
/// Events lost that way are counted. A failed command is retried with increasing delays, and meanwhile is run for the
/// events behind.
final class HookRunner: Sendable {
    /// Runs the command once, with an event as JSON.
    typealias Attempt = @Sendable (_ event: [UInt8], _ limit: Duration) async -> HookCommand.Completion

    /// Doubles for each further retry up to ``longestPause``.
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)
    /// Maximum number of events that wait for a retry; further events wait in the journal.
    static let mostRetried = 64

    private struct State {
        var status: HookStatus
        /// Number of the last event that was read.
        var place: Int
        /// Events that must last; nil if all are handled at once.
        var lasting: LastingEvents?
        /// Time from which an event waits for a command to end.
        var next: MonotonicTime?
    }

    let configuration: HookConfiguration
    let cancellation = CancellationSignal()
    private let journal: EventJournal
    private let attempt: Attempt
    private let clock: any MonotonicClock
    private let logger: Logger
    private let state: Mutex<State>
    /// With the kinds that end what others begin, and the states of cameras whose loss must last.
    private let wanted: EventRequest
    /// Limits the commands that run at a time.
    private let commands: AsyncSemaphore
    /// Limits the events that are not done.
    private let unfinished: AsyncSemaphore

    init(
        _ hook: HookConfiguration,
        journal: EventJournal,
        clock: any MonotonicClock,
        logger: Logger,
        attempt: @escaping Attempt
    ) {
        (configuration, self.journal, self.attempt, self.clock) = (hook, journal, attempt, clock)
        let others = hook.lasting == nil ? [] : hook.kinds.compactMap { $0.end ?? $0.start }
        let states: [Event.Kind] = others.contains(.cameraLost) || others.contains(.cameraBack) ? [.cameraState] : []
        wanted = EventRequest(cameras: hook.cameras, kinds: hook.kinds + others + states)
        commands = AsyncSemaphore(hook.atOnce)
        unfinished = AsyncSemaphore(hook.atOnce + Self.mostRetried)
        var logger = logger
        logger[metadataKey: "hook"] = "\(hook.name)"
        self.logger = logger
        var status = HookStatus(name: hook.name, kinds: hook.kinds, cameras: hook.cameras, command: hook.command)
        status.webhook = hook.webhook.map(HTTPAddress.publicPart)
        // Only events after the newest one are handled.
        state = Mutex(State(status: status, place: journal.newest, lasting: hook.lasting.map { LastingEvents($0) }))
    }

    var status: HookStatus {
        let (state, now) = (state.withLock(\.self), clock.now)
        let unread = journal.count(after: state.place) { wanted.selects($0) && configuration.kinds.contains($0.kind) }
        let waits = state.lasting?.waits(of: configuration.kinds) ?? []
        let oldest = (waits + [state.next, unread.first].compactMap(\.self)).min()
        var status = state.status
        status.waiting = waits.count + unread.count + (state.next == nil ? 0 : 1)
        status.waitingMs = oldest.map { Milliseconds(max(.zero, now - $0)) }
        return status
    }

    /// Runs the hook until the task is cancelled; call once.
    func run() async {
        let waker = TaskWaker(clock: clock)
        await withDiscardingTaskGroup { group in
            group.addTask { [journal] in for await _ in journal.signals() { waker.wake() } }
            while !Task.isCancelled {
                let entries = journal.entries(after: state.withLock(\.place))
                // Only a hook that has read all events knows what has lasted.
                for entry in entries.isEmpty ? [nil] : entries.map(Optional.some) {
                    for passed in pass(entry) {
                        await admit(passed)
                        group.addTask { await self.handle(passed.event) }
                    }
                }
                if entries.isEmpty { await waker.sleep(until: state.withLock { $0.lasting?.next }) }
            }
            group.cancelAll()
        }
    }

    /// Reads an event, or the time if nil; returns the events to handle.
    private func pass(_ entry: EventJournal.Entry?) -> [EventJournal.Entry] {
        let (now, event) = (clock.now, entry?.event)
        let passed = state.withLock { state in
            guard let entry else { return state.lasting?.due(by: now) ?? [] }
            state.place = entry.event.id
            guard wanted.selects(entry.event) else { return [] }
            // It is read late if the hook is behind.
            return state.lasting?.add(entry) ?? [entry]
        }
        if let event, event.kind == .gap { recordMissed(event.lost ?? 1) }
        return passed.filter { configuration.kinds.contains($0.event.kind) }
    }

    /// Waits until a command may run for an event.
    private func admit(_ entry: EventJournal.Entry) async {
        state.withLock { $0.next = entry.moment }
        await unfinished.wait()
        // Here, so that first attempts are in the order of the events.
        await commands.wait()
        state.withLock { state in
            state.next = nil
            state.status.running += 1
        }
    }

    private func recordMissed(_ count: Int) {
        state.withLock { $0.status.missed += UInt64(count) }
        let text: Logger.Message = "the hook is behind: it was not run for events that were dropped"
        logger.warning(text, metadata: ["events": "\(count)"])
    }

    /// Runs the command for an event, after ``admit(_:)``.
    private func handle(_ event: Event) async {
        defer {
            // After the result, so that results of a hook that runs one command at a time are in order, too.
            commands.signal()
            unfinished.signal()
        }
        let (at, began) = (clock.wall, clock.now)
        let input = ((try? WireFormat.encode(event)) ?? []) + [UInt8(ascii: "\n")]
        var attempts = 1
        var end = await completion(of: input)
        while end.outcome != .ok, attempts <= configuration.retries, !Task.isCancelled {
            commands.signal()
            let isOver = (try? await clock.sleep(for: Self.pause(before: attempts))) == nil
            await commands.wait()
            if isOver { break }
            attempts += 1
            end = await completion(of: input)
        }
        // Hook removed or daemon stopping: not a result.
        guard !Task.isCancelled else { return }
        let result = HookResult(
            of: event,
            at: at,
            took: clock.now - began,
            attempts: attempts,
            outcome: end.outcome,
            detail: end.detail
        )
        record(result)
    }

    private func completion(of input: [UInt8]) async -> HookCommand.Completion {
        guard !Task.isCancelled else { return (.late, "It was given up.") }
        return await attempt(input, configuration.timeLimit)
    }

    /// Half to all of the doubled pause, at random, so that hooks do not retry at once.
    static func pause(before retry: Int) -> Duration {
        firstPause.backoff(after: retry - 1, upTo: longestPause).jittered
    }

    private func record(_ result: HookResult) {
        let before = state.withLock { state in
            defer { state.status.add(result) }
            state.status.running -= 1
            return state.status.results.last?.outcome
        }
        let labels = [("hook", configuration.name), ("result", result.outcome.rawValue)]
        Counter(label: MetricName.hooks.rawValue, dimensions: labels).increment()
        var facts: Logger.Metadata = ["event": "\(result.event)", "attempts": "\(result.attempts)"]
        switch (before, result.outcome) {
        case (nil, .ok), (.ok?, .ok): logger.debug("the hook has run", metadata: facts)
        case (_, .ok): logger.notice("the hook works again", metadata: facts)
        case (let before, let outcome):
            facts[MessageID.key] = "\(MessageID.hookFailed)"
            // A repeated failure with the same outcome is logged once.
            let level = before == outcome ? Logger.Level.debug : .warning
            logger.log(level: level, "the hook failed: \(result.detail)", metadata: facts)
        }
    }
}

/// Counting semaphore for tasks, which go on in the order in which they waited.
///
/// Cancellation does not end a wait: the task that signals is cancelled as well.
private final class AsyncSemaphore: Sendable {
    private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) { state = Mutex((count, [])) }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func signal() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
