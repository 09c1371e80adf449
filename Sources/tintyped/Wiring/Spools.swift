// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

struct Spools: Service {
    /// The first is `default`; empty for a daemon that stores nothing.
    let all: [SpoolStore]

    /// Throws `spool-unavailable` if there is none, as in a private daemon.
    func spool(named name: String) throws(Problem) -> SpoolStore {
        if let spool = all.first(where: { $0.name == name }) { return spool }
        let remedy = "Ask for the picture in the reply (keep: false), or ask the tintyped that runs as a service."
        throw Problem(.spoolUnavailable, "This tintyped was started without a spool.", remedy: remedy)
    }

    /// Returns false if one of them is not closed by `deadline`.
    @discardableResult
    func close(until deadline: MonotonicTime) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            for spool in all { group.addTask { await spool.close(until: deadline) } }
            return await group.reduce(true) { $0 && $1 }
        }
    }

    /// Reopens spools after disk failures, until graceful shutdown or cancellation.
    func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for spool in all { group.addTask { await spool.run() } }
            }
        }
    }

    /// Opens all spools concurrently, and keeps retrying one that fails; throws the ``fatal(_:)`` reason.
    static func open(
        _ configuration: DaemonConfiguration,
        clock: any MonotonicClock,
        logger: Logger,
        tell: @escaping EventSink = { _ in }
    ) async throws(Problem) -> Spools {
        let configurations = try configuration.spoolConfigurations()
        let deadline = clock.now + .seconds(configurations.count == 1 ? 60 : 10)
        let opened = await withTaskGroup(of: (Int, SpoolStore, Problem?).self) { group in
            for (index, configuration) in configurations.enumerated() {
                group.addTask {
                    let (spool, reason) = await SpoolStore.openOrWait(
                        configuration,
                        logger: logger,
                        clock: clock,
                        tell: tell,
                        until: deadline
                    )
                    return (index, spool, reason)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
        }
        if let reason = fatal(opened.map(\.2)) { throw reason }
        return Spools(all: opened.map(\.1))
    }

    /// Reason not to start, from that of each spool, nil for an open one.
    ///
    /// The first if no spool can be opened and none is full: a full one is opened once there is room, and live pictures
    /// need none.
    static func fatal(_ reasons: [Problem?]) -> Problem? {
        let failures = reasons.compactMap(\.self)
        let isFatal = failures.count == reasons.count && !failures.contains { $0.code == .spoolFull }
        return isFatal ? failures.first : nil
    }

    func apply(_ configurations: [SpoolStore.Configuration]) {
        for other in configurations { all.first { $0.name == other.name }?.use(other) }
    }
}

extension DaemonConfiguration {
    /// `default` first; blocks like ``Accounts``, and throws `spool-unavailable` for an unknown user or group.
    func spoolConfigurations() throws(Problem) -> [SpoolStore.Configuration] {
        try ([spool] + spools).map { (settings) throws(Problem) in try settings.configuration(of: self) }
    }
}

extension SpoolSettings {
    func configuration(of all: DaemonConfiguration) throws(Problem) -> SpoolStore.Configuration {
        var configuration = SpoolStore.Configuration(
            name: name,
            folder: folder,
            folderMode: UInt32(folderMode),
            fileMode: UInt32(fileMode)
        )
        configuration.ownership = try Ownership(owner: owner, group: group)
        (configuration.names, configuration.retention) = (names, retention)
        configuration.uploads = all.uploads.filter { $0.spool ?? name == name }.map { upload in
            let (target, priority) = (upload.options.publicTarget, upload.priority)
            return UploadRule(name: upload.name, filter: upload.filter, target: target, priority: priority)
        }
        for camera in all.cameras {
            var rules = camera.retention
            if camera.spoolName != name {
                // The spool may have older pictures of this camera: age rules apply there too.
                (rules.maxFrames, rules.maxBytes) = (nil, nil)
            } else if camera.latest != nil {
                configuration.ownLatest.insert(camera.name)
            }
            configuration.cameraRetention[camera.name] = rules
        }
        return configuration
    }
}

/// Compares folder and catalog of one spool after each opening, and applies retention every minute.
struct MaintenanceService: Service {
    static let pause = Duration.seconds(60)

    let clock: any MonotonicClock
    let logger: Logger
    let keep: @Sendable () async throws(Problem) -> Void

    func run() async { await cancelWhenGracefulShutdown { await maintain() } }

    private func maintain() async {
        var failure: Problem?
        while !Task.isCancelled {
            do throws(Problem) {
                try await keep()
                if failure != nil { logger.notice("The maintenance of the spool works again") }
                failure = nil
            } catch {
                guard !Task.isCancelled else { return }
                // A repeated failure for the same reason is logged once.
                if failure?.detail != error.detail { logger.error("\(error)") }
                failure = error
            }
            guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
        }
    }
}
