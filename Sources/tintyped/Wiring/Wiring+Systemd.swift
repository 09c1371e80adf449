// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeAPI
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

extension Wiring {
    /// READY waits no longer for cameras.
    private static let longestWait = Duration.seconds(60)

    /// READY is sent once `listens` has ended and, if configured, the cameras deliver frames.
    func serviceManager(
        _ passed: PassedSockets,
        _ notifier: ServiceNotifier,
        _ server: ControlServer,
        listens: AsyncStream<Never>,
        ready: @escaping @Sendable () async -> Void
    ) -> [any Service] {
        let services: [any Service] = [
            ServiceFunction {
                for await _ in listens.cancelOnGracefulShutdown() {}
                guard !Task.isShuttingDownGracefully else { return }
                if settings.configuration.ready == .cameras {
                    notifier.extendStart(by: Self.longestWait * 2)
                    await cameras.settle(until: clock.now + Self.longestWait, journal.signals())
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
            let reason = "systemd must listen on all sockets of this daemon (tintyped.socket)"
            logger.warning("exitIdle has no effect: \(reason)")
            return services
        }
        let idleExit = IdleExit(
            clock: clock,
            limit: limit,
            logger: logger,
            connections: { server.connectionCount },
            isNeeded: {
                let isVerifying = spools.all.contains { $0.report.verification != nil }
                let hasJobs = jobs.board.withLock(\.hasOpenJobs)
                return cameras.areNeeded || !hooks.hooks().isEmpty || isVerifying || hasJobs
            },
            takeClients: server.setAccepting,
            // Same path as for systemctl(1).
            stop: { kill(getpid(), SIGTERM) }
        )
        return services + [idleExit]
    }
}

extension Cameras {
    var heartbeats: [Heartbeat] { [encoding.heartbeat] + all.map(\.session.heartbeat) }

    /// Open, with a schedule, or to be watched or kept open.
    var areNeeded: Bool {
        all.contains { camera in
            !recordings.isEmpty || camera.configuration.isKeptOpen || !camera.publications.isEmpty
                || camera.latest != nil || camera.configuration.film != nil
                || ![.off, .failed].contains(camera.session.status.state.name)
        }
    }

    /// Waits until each camera to be kept open delivers frames or is faulty; `signals` has each change of a state.
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
