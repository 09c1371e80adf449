// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

struct Reloading: Sendable {
    /// Reads file and flags; throws ``ConfigurationError`` or ``Problem``, and blocks.
    let read: @Sendable () throws -> DaemonSettings
    /// ``ExitGuard/reloadRequests``.
    let requests: AsyncStream<Void>
    let notifier: ServiceNotifier
}

/// One reload at a time.
actor Reload: Service {
    private static let timeLimit = Duration.seconds(10)

    private typealias Reading = (settings: DaemonSettings, spools: [SpoolStore.Configuration], rules: AccessRules)

    private var settings: DaemonSettings
    private let parts: Wiring
    private let reloading: Reloading
    /// Reads the file; a read that hangs on a dead disk holds up later reloads, not the daemon.
    private let thread = WorkerThreads(name: "tt-reload", count: 1) {}
    /// Awaited by the next one.
    private var last: Task<Result<ReloadReport, Problem>, Never>?

    init(_ parts: Wiring, _ reloading: Reloading) {
        settings = parts.settings
        (self.parts, self.reloading) = (parts, reloading)
    }

    func reload() async throws(Problem) -> ReloadReport {
        let before = last
        let task = Task {
            _ = await before?.value
            return await self.outcome()
        }
        last = task
        return try await task.value.get()
    }

    private func outcome() async -> Result<ReloadReport, Problem> {
        reloading.notifier.reloading()
        defer { reloading.notifier.reloaded(settings.summary) }
        do throws(Problem) {
            let report = try await apply(try await read())
            let changes = [
                "kept": report.kept, "changed": report.changed, "added": report.added, "removed": report.removed,
            ]
            let facts = changes.mapValues { Logger.MetadataValue.string($0.joined(separator: " ")) }
            parts.logger.notice("the configuration was read again", metadata: facts)
            return .success(report)
        } catch {
            let (code, id) = (error.code.rawValue, MessageID.configurationRefused)
            let facts: Logger.Metadata = ["code": "\(code)", MessageID.key: "\(id)"]
            parts.logger.error("the configuration is unchanged: \(error)", metadata: facts)
            return .failure(error)
        }
    }

    private func read() async throws(Problem) -> Reading {
        let detail = "The configuration file could not be read within \(SpokenDuration.text(Self.timeLimit))."
        let late = Problem(.deadlineExceeded, detail, remedy: "Look at its disk.")
        let deadline = parts.clock.now + Self.timeLimit
        return try await thread.perform(until: deadline, by: parts.clock, otherwise: late) {
            [read = reloading.read, logger = parts.logger] _ throws(Problem) in
            do {
                let all = try read()
                let spools = try all.configuration.spoolConfigurations()
                return (all, spools, all.configuration.accessRules(logger: logger))
            } catch {
                throw error as? Problem ?? Problem(refusing: error)
            }
        }
    }

    private func apply(_ new: Reading) async throws(Problem) -> ReloadReport {
        let keys = settings.keysThatNeedRestart(for: new.settings)
        guard keys.isEmpty else {
            let names = keys.joined(separator: ", ")
            let detail = "The new configuration has other values of \(names), which takes a restart."
            let remedy = "Restart tintyped (systemctl restart tintyped), or leave them as they are."
            throw Problem(.configurationUnsupported, detail, remedy: remedy, field: keys.first)
        }
        parts.spools.apply(new.spools)
        // First, so that a client that lost access does not see anything new.
        parts.access.replaceRules(with: new.rules)
        parts.hooks.apply(new.settings.configuration.hooks)
        parts.jobs.apply(new.settings.configuration)
        let report = await parts.cameras.apply(new.settings)
        settings = new.settings
        return report
    }

    /// On SIGHUP, until graceful shutdown.
    nonisolated func run() async {
        for await _ in reloading.requests.cancelOnGracefulShutdown() { _ = try? await reload() }
    }
}

extension DaemonSettings {
    fileprivate func keysThatNeedRestart(for other: DaemonSettings) -> [String] {
        let (own, its) = (configuration, other.configuration)
        let kept = [
            ("socket", own.socket == its.socket), ("tcp", own.tcp?.address == its.tcp?.address),
            ("exitIdle", own.exitIdle == its.exitIdle), ("state", own.stateFolder == its.stateFolder),
            ("spool", own.spool.withoutRules == its.spool.withoutRules),
            ("spools", own.spools.map(\.withoutRules) == its.spools.map(\.withoutRules)),
        ]
        return kept.filter { !$0.1 }.map(\.0)
    }
}

extension SpoolSettings {
    fileprivate var withoutRules: SpoolSettings {
        var settings = self
        settings.retention = RetentionSettings()
        return settings
    }
}

extension Problem {
    fileprivate init(refusing error: any Error) {
        let faults = (error as? ConfigurationError)?.faults
        // In one line, as every detail: a newline would be escaped.
        let text = faults?.map(\.description).joined(separator: " ") ?? "\(error)"
        let detail = "The new configuration is refused: \(text)"
        let remedy = "Correct it and reload again; the old one stays in force until then."
        self.init(.configurationUnsupported, detail, remedy: remedy, field: faults?.first?.key)
    }
}
