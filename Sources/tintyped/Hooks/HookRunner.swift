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

    let configuration: HookConfiguration
    let cancellation = CancellationSignal()
    private let journal: EventJournal
    private let attempt: Attempt
    private let clock: any MonotonicClock
    private let logger: Logger
    private let state: Mutex<HookStatus>
    /// Only events after this one are handled.
    private let beginning: Int
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
        beginning = journal.newest
        commands = AsyncSemaphore(hook.atOnce)
        unfinished = AsyncSemaphore(hook.atOnce + Self.mostRetried)
        var logger = logger
        logger[metadataKey: "hook"] = "\(hook.name)"
        self.logger = logger
        var status = HookStatus(name: hook.name, kinds: hook.kinds, cameras: hook.cameras, command: hook.command)
        status.webhook = hook.webhook.map(WebhookPost.publicPart)
        state = Mutex(status)
    }

    var status: HookStatus { state.withLock(\.self) }

    /// Runs the hook until the task is cancelled; call once.
    func run() async {
        let wanted = EventRequest(cameras: configuration.cameras, kinds: configuration.kinds)
        var place = beginning
        await withDiscardingTaskGroup { group in
            for await _ in journal.signals() {
                while !Task.isCancelled {
                    let events = journal.events(after: place)
                    guard let end = events.last?.id else { break }
                    place = end
                    for event in events where wanted.selects(event) {
                        if event.kind == .gap { recordMissed(event.lost ?? 1) }
                        guard configuration.kinds.contains(event.kind) else { continue }
                        await unfinished.wait()
                        // Here, so that first attempts are in the order of the events.
                        await commands.wait()
                        group.addTask { await self.handle(event) }
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func recordMissed(_ count: Int) {
        state.withLock { $0.missed += UInt64(count) }
        let text: Logger.Message = "the hook is behind: it was not run for events that were dropped"
        logger.warning(text, metadata: ["events": "\(count)"])
    }

    /// Runs the command for an event, after ``commands`` was entered for the first attempt.
    private func handle(_ event: Event) async {
        defer {
            // After the result, so that results of a hook that runs one command at a time are in order, too.
            commands.signal()
            unfinished.signal()
        }
        let (at, began) = (clock.wall, clock.now)
        state.withLock { $0.running += 1 }
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
        let whole = min(longestPause, firstPause * (1 << min(retry - 1, 10)))
        return whole * Double.random(in: 0.5...1)
    }

    private func record(_ result: HookResult) {
        let before = state.withLock { state in
            defer { state.add(result) }
            state.running -= 1
            return state.results.last?.outcome
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
