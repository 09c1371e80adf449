// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import TintypeAPI
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

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
        clock: any MonotonicClock,
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
                    await cameras.settle(until: clock.now + longestWait, journal.signals())
                }
                await ready()
                try? await gracefulShutdown()
            },
            Watchdog(notifier, clock: clock, logger: logger) {
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
                    clock: clock,
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

/// What the service manager is told of the cameras.
extension Cameras {
    /// The parts that must move for them.
    var heartbeats: [Heartbeat] { [encoding.heartbeat] + all.map(\.session.heartbeat) }

    /// Whether a camera is open or has a schedule, or is to be watched or kept open.
    var areNeeded: Bool {
        all.contains { camera in
            camera.configuration.isKeptOpen || !camera.publications.isEmpty || camera.latest != nil
                || ![.off, .failed].contains(camera.session.status.state.name)
        }
    }

    /// Returns once each camera that the configuration keeps open gives pictures or is in trouble, at `deadline` at the
    /// latest; `signals` has an element at least whenever one is in another state.
    func settle(until deadline: MonotonicTime, _ signals: AsyncStream<Void>) async {
        for await _ in signals.cancelOnGracefulShutdown() {
            let isAwaited = all.contains { camera in
                camera.configuration.isKeptOpen
                    && [.off, .opening, .settling].contains(camera.session.status.state.name)
            }
            guard isAwaited, clock.now < deadline else { return }
        }
    }
}
