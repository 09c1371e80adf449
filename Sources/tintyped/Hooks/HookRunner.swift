// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Runs one hook for matching events that occur after its creation.
///
/// A client of the journal like others: while its command hangs or fails, it falls behind without blocking anything.
/// Events lost that way are counted. A failed command is retried with increasing delays.
final class HookRunner: Sendable {
    /// Runs the command once, with an event as JSON.
    typealias Attempt = @Sendable (_ event: [UInt8], _ limit: Duration) async -> HookCommand.Completion

    /// Doubles for each further retry up to ``longestPause``.
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)

    let configuration: HookConfiguration
    let cancellation = CancellationSignal()
    private let journal: EventJournal
    private let attempt: Attempt
    private let clock: any MonotonicClock
    private let logger: Logger
    private let state: Mutex<HookStatus>
    /// Only events after this one are handled.
    private let beginning: Int

    init(
        _ configuration: HookConfiguration,
        journal: EventJournal,
        clock: any MonotonicClock,
        logger: Logger,
        attempt: @escaping Attempt
    ) {
        self.configuration = configuration
        self.journal = journal
        beginning = journal.newest
        self.attempt = attempt
        self.clock = clock
        var logger = logger
        logger[metadataKey: "hook"] = "\(configuration.name)"
        self.logger = logger
        state = Mutex(
            HookStatus(
                name: configuration.name,
                kinds: configuration.kinds,
                cameras: configuration.cameras,
                command: configuration.command,
                webhook: configuration.webhook.map(WebhookPost.publicPart)
            )
        )
    }

    var status: HookStatus { state.withLock(\.self) }

    /// Until the task is cancelled; call once.
    func run() async {
        let wanted = EventRequest(cameras: configuration.cameras, kinds: configuration.kinds)
        var place = beginning
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await _ in journal.signals() {
                while !Task.isCancelled {
                    let events = journal.events(after: place)
                    guard let end = events.last?.id else { break }
                    place = end
                    for event in events where wanted.selects(event) {
                        if event.kind == .gap { recordMissed(event.lost ?? 1) }
                        guard configuration.kinds.contains(event.kind) else { continue }
                        if running == configuration.atOnce {
                            await group.next()
                            running -= 1
                        }
                        group.addTask { await self.handle(event) }
                        running += 1
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

    private func handle(_ event: Event) async {
        guard let json = try? WireFormat.encode(event) + [UInt8(ascii: "\n")], !Task.isCancelled else { return }
        let (at, began) = (clock.wall, clock.now)
        state.withLock { $0.running += 1 }
        var attempts = 1
        var end = await attempt(json, configuration.timeLimit)
        while end.outcome != .ok, attempts <= configuration.retries, !Task.isCancelled {
            guard (try? await clock.sleep(for: Self.pause(before: attempts))) != nil else { break }
            attempts += 1
            end = await attempt(json, configuration.timeLimit)
        }
        // Hook removed or daemon stopping: not a result.
        guard !Task.isCancelled else { return }
        let result = HookResult(
            event: event.id,
            kind: event.kind,
            at: at,
            took: clock.now - began,
            attempts: attempts,
            outcome: end.outcome,
            detail: end.detail
        )
        record(result)
    }

    /// With random jitter against bursts.
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
