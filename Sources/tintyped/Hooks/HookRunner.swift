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
        /// Events that were read, the next one last.
        var ready: [EventJournal.Entry] = []
        var running = 0
        /// Events that wait for a retry.
        var failed: [Trial] = []
    }

    private struct Trial {
        let event: Event
        let at: Timestamp
        let began: MonotonicTime
        var attempts = 0
        /// Time of the next attempt.
        var due: MonotonicTime
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
        let oldest = (waits + [state.ready.last?.moment, unread.first].compactMap(\.self)).min()
        var status = state.status
        status.running = state.running + state.failed.count
        status.waiting = waits.count + state.ready.count + unread.count
        status.waitingMs = oldest.map { Milliseconds(max(.zero, now - $0)) }
        return status
    }

    /// Runs the hook until the task is cancelled; call once.
    func run() async {
        let waker = TaskWaker(clock: clock)
        await withDiscardingTaskGroup { group in
            group.addTask { [journal] in for await _ in journal.signals() { waker.wake() } }
            while !Task.isCancelled {
                if let trial = next() {
                    group.addTask {
                        await self.handle(trial)
                        waker.wake()
                    }
                } else if !read() {
                    await waker.sleep(until: wakeTime)
                }
            }
            group.cancelAll()
        }
    }

    /// Event whose command is to be run now, and counts as running: a failed one that is due, or the next one.
    private func next() -> Trial? {
        let (at, now) = (clock.wall, clock.now)
        return state.withLock { state in
            guard state.running < configuration.atOnce else { return nil }
            var trial: Trial?
            if let index = state.failed.firstIndex(where: { $0.due <= now }) {
                trial = state.failed.remove(at: index)
            } else if state.failed.count < Self.mostRetried, let entry = state.ready.popLast() {
                trial = Trial(event: entry.event, at: at, began: now, due: now)
            }
            if trial != nil { state.running += 1 }
            return trial
        }
    }

    private func isFree(_ state: State) -> Bool {
        state.running < configuration.atOnce && state.failed.count < Self.mostRetried && state.ready.isEmpty
    }

    /// Reads events, or what has lasted after the last one, if one could be handled; false if there is no more.
    private func read() -> Bool {
        guard let place = state.withLock({ isFree($0) ? $0.place : nil }) else { return false }
        let (entries, now) = (journal.entries(after: place), clock.now)
        let isMore = state.withLock { state in
            var passed: [EventJournal.Entry] = []
            for entry in entries where wanted.selects(entry.event) { passed += state.lasting?.add(entry) ?? [entry] }
            // Only a hook that has read all events knows what has lasted.
            if entries.isEmpty { passed = state.lasting?.due(by: now) ?? [] }
            state.place = entries.last?.event.id ?? place
            state.ready = passed.filter { configuration.kinds.contains($0.event.kind) }.reversed()
            return !entries.isEmpty || !passed.isEmpty
        }
        for entry in entries where entry.event.kind == .gap {
            let missed = entry.event.lost ?? 1
            state.withLock { $0.status.missed += UInt64(missed) }
            let text: Logger.Message = "the hook is behind: it was not run for events that were dropped"
            logger.warning(text, metadata: ["events": "\(missed)"])
        }
        return isMore
    }

    /// Time at which something is due without a further event or the end of a command.
    private var wakeTime: MonotonicTime? {
        state.withLock { state in
            guard state.running < configuration.atOnce else { return nil }
            let lasting = isFree(state) ? state.lasting?.next : nil
            return (state.failed.map(\.due) + [lasting].compactMap(\.self)).min()
        }
    }

    private func handle(_ trial: Trial) async {
        guard !Task.isCancelled else { return }
        let input = ((try? WireFormat.encode(trial.event)) ?? []) + [UInt8(ascii: "\n")]
        let end = await attempt(input, configuration.timeLimit)
        // Hook removed or daemon stopping: not a result.
        guard !Task.isCancelled else { return }
        var trial = trial
        trial.attempts += 1
        if end.outcome != .ok, trial.attempts <= configuration.retries {
            trial.due = clock.now + Self.pause(before: trial.attempts)
            return state.withLock { state in
                state.running -= 1
                state.failed.append(trial)
            }
        }
        let result = HookResult(
            of: trial.event,
            at: trial.at,
            took: clock.now - trial.began,
            attempts: trial.attempts,
            outcome: end.outcome,
            detail: end.detail
        )
        record(result)
    }

    /// Half to all of the doubled pause, at random, so that hooks do not retry at once.
    static func pause(before retry: Int) -> Duration {
        firstPause.backoff(after: retry - 1, upTo: longestPause).jittered
    }

    private func record(_ result: HookResult) {
        let labels = [("hook", configuration.name), ("result", result.outcome.rawValue)]
        Counter(label: MetricName.hooks.rawValue, dimensions: labels).increment()
        let before = state.withLock { state in
            defer { state.status.add(result) }
            state.running -= 1
            return state.status.results.last?.outcome
        }
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
