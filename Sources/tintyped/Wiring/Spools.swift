// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// The spools of the daemon, and which of them is whose.
struct Spools: Sendable {
    /// All, the one called `default` first; none where nothing is stored.
    let all: [Spool]

    /// The one of that name; throws `spool-unavailable` where there is none at all.
    func spool(named name: String) throws(Problem) -> Spool {
        if let spool = all.first(where: { $0.name == name }) { return spool }
        throw Problem(
            .spoolUnavailable,
            "This tintyped was started without a spool.",
            remedy: "Ask for the picture in the reply (keep: false), or ask the tintyped that runs as a service."
        )
    }

    /// Closes all of them at once, until `deadline` at the latest.
    func close(until deadline: MonotonicTime) async {
        await withTaskGroup(of: Void.self) { group in
            for spool in all { group.addTask { await spool.close(until: deadline) } }
        }
    }
}

extension Spools: Service {
    /// Lets every spool open itself again after a failure of its disk, until graceful shutdown or cancellation.
    func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for spool in all { group.addTask { await spool.run() } }
            }
        }
    }
}

extension Spools {
    private static let opening = Duration.seconds(60)
    /// The longest that the daemon's start waits for one of several.
    private static let openingOfSeveral = Duration.seconds(10)

    /// Opens the spools of a configuration, all at once.
    ///
    /// One that cannot be opened is tried again for as long as the daemon runs, if another can be: a dead disk stops
    /// only its own cameras. The wait is by `clock`. `tell` gets what happens to their frames. Throws why the first could not be
    /// opened if none can.
    static func open(
        _ configuration: DaemonConfiguration,
        clock: any MonotonicClock,
        logger: Logger,
        tell: @escaping EventSink = { _ in }
    ) async throws(Problem) -> Spools {
        let configurations = try configuration.spoolConfigurations()
        let deadline = clock.now + (configurations.count == 1 ? opening : openingOfSeveral)
        let opened = await withTaskGroup(of: (Int, Spool, Problem?).self) { group in
            for (index, configuration) in configurations.enumerated() {
                group.addTask {
                    let (spool, reason) = await Spool.openOrWait(
                        configuration,
                        logger: logger,
                        clock: clock,
                        tell: tell,
                        until: deadline
                    )
                    return (index, spool, reason)
                }
            }
            var opened: [(Int, Spool, Problem?)] = []
            for await spool in group { opened.append(spool) }
            return opened.sorted { $0.0 < $1.0 }
        }
        let reasons = opened.compactMap(\.2)
        if reasons.count == opened.count, let reason = reasons.first { throw reason }
        return Spools(all: opened.map(\.1))
    }

    /// Has each spool go by the rules of another configuration, which has the same spools.
    func use(_ configurations: [Spool.Configuration]) {
        for other in configurations { all.first { $0.name == other.name }?.use(other) }
    }
}

extension DaemonConfiguration {
    /// The configurations of its spools, the one called `default` first.
    ///
    /// Blocks as ``Accounts`` does. Throws `spool-unavailable` for a user or a group that there is not.
    func spoolConfigurations() throws(Problem) -> [Spool.Configuration] {
        var configurations: [Spool.Configuration] = []
        for settings in [spool] + spools { configurations.append(try settings.configuration(of: self)) }
        return configurations
    }
}

extension SpoolSettings {
    func configuration(of all: DaemonConfiguration) throws(Problem) -> Spool.Configuration {
        var configuration = Spool.Configuration(
            name: name,
            folder: folder,
            folderMode: UInt32(folderMode),
            fileMode: UInt32(fileMode),
            ownership: try Ownership(owner: owner, group: group),
            names: names
        )
        configuration.retention = retention
        for camera in all.cameras {
            var rules = camera.retention
            if (camera.spool ?? Spool.Configuration.defaultName) != name {
                // It may have been its spool before: the ages of its pictures hold there, too.
                (rules.maxFrames, rules.maxBytes) = (nil, nil)
            }
            configuration.cameraRetention[camera.name] = rules
        }
        configuration.ownLatest = Set(all.cameras.filter { $0.latest != nil }.map(\.name))
        return configuration
    }
}
