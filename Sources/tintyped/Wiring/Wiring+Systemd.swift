// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import TintypeControl
internal import TintypeModel
internal import TintypeSpool
internal import TintypeThreads

/// What the daemon tells the service manager, and does for it.
extension Wiring {
    /// How long READY waits for the pictures of cameras.
    private static let longestWait = Duration.seconds(60)

    /// READY once `listens` has ended and, where it is asked for, cameras give pictures; the watchdog; and the end of an
    /// idle daemon.
    static func serviceManager(
        _ settings: DaemonSettings,
        _ passed: PassedSockets,
        _ notifier: ServiceNotifier,
        _ parts: (cameras: Cameras, spools: Spools, server: ControlServer, journal: EventJournal, hooks: Hooks),
        logger: Logger,
        listens: AsyncStream<Never>,
        ready: @escaping @Sendable () async -> Void
    ) -> [any Service] {
        let (cameras, spools, server, journal, hooks) = parts
        var services: [any Service] = [
            ServiceFunction {
                for await _ in listens {}
                if settings.configuration.ready == .cameras {
                    notifier.extendStart(by: longestWait * 2)
                    await cameras.settle(until: .now() + longestWait, journal.signals())
                }
                await ready()
                try? await gracefulShutdown()
            },
            Watchdog(notifier, logger: logger) {
                [.pool, .alarms] + ControlServer.heartbeats + cameras.heartbeats + spools.all.flatMap(\.heartbeats)
            },
        ]
        guard let limit = settings.configuration.exitIdle else { return services }
        if passed.control == nil || settings.configuration.tcp?.address != nil {
            logger.warning(
                "exitIdle has no effect: systemd must listen on all sockets of this daemon (tintyped.socket)"
            )
        } else {
            services.append(
                IdleExit(
                    clock: ContinuousClock(),
                    limit: limit,
                    logger: logger,
                    connections: { server.connectionCount },
                    isNeeded: {
                        cameras.areNeeded || !hooks.hooks().isEmpty || spools.all.contains { $0.verification != nil }
                    },
                    takeClients: server.takeConnections,
                    // The one way out, as for systemctl(1).
                    stop: { kill(getpid(), SIGTERM) }
                )
            )
        }
        return services
    }
}
