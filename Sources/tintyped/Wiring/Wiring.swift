// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import TintypeAPI
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// Assembles the daemon: the only place that knows cameras, spools and socket.
enum Wiring {
    /// Creates the parts of the daemon, all with `clock`; throws ``Problem`` or an error of the listener.
    @Sendable static func assemble(
        _ settings: DaemonSettings,
        _ passed: PassedSockets,
        _ reloading: Reloading,
        _ clock: any MonotonicClock,
        _ logger: Logger,
        _ listening: @escaping @Sendable () async -> Void
    ) async throws -> Daemon.Parts {
        guard !settings.isPrivate else { return privateParts(settings, clock, logger) }
        let notifier = reloading.notifier
        // The socket first, so that a second daemon fails before it touches anything.
        let socket = settings.configuration.socket
        let listener =
            if let control = passed.control {
                ControlListener(passed: control.descriptor, path: control.path)
            } else {
                try ControlListener(path: socket.path, mode: socket.mode, group: socket.group)
            }
        // Before anything creates metrics.
        let registry = MetricsRegistry.ofProcess
        let journal = EventJournal(now: clock.wall, clock: clock)
        // Before any events.
        let hooks = Hooks(settings, journal: journal, clock: clock, logger: logger)
        let spools = try await Spools.open(settings.configuration, clock: clock, logger: logger, tell: journal.tell)
        let cameras = Cameras(settings: settings, spools: spools, clock: clock, logger: logger, tell: journal.tell)
        let access = AccessPolicy(settings.configuration.accessRules(logger: logger))
        let reload = Reload(
            settings,
            reloading,
            cameras: cameras,
            hooks: hooks,
            access: access,
            clock: clock,
            logger: logger
        )
        let listens = AsyncStream.makeStream(of: Never.self)
        let asked = services(cameras, spools, journal, registry, reload, hooks, access, clock)
        let server = ControlServer(
            listener: listener,
            tcp: settings.configuration.tcp?.address,
            passed: passed.network,
            services: asked,
            logger: logger,
            limits: .within(openFiles: DescriptorLimit.openFiles),
            onListening: { [listens = listens.continuation] in listens.finish() }
        )
        // Shut down from last to first: clients that wait for a frame get their answer before their connections are
        // closed.
        var services: [any Service] = [spools, server]
        services += [
            ServiceFunction(body: cameras.closeAtShutdown), ServiceFunction(body: cameras.watchDevices), journal,
            reload, hooks,
        ]
        services.append(
            HealthWatch(
                clock: clock,
                cameras: cameras.cameras,
                health: { asked.health(of: $0) },
                tell: journal.tell,
                show: { notifier.status(StatusText.line(serving: settings.socketSummary, $0)) }
            )
        )
        services += serviceManager(
            settings,
            passed,
            notifier,
            (cameras, spools, server, journal, hooks),
            clock: clock,
            logger: logger,
            listens: listens.stream,
            ready: listening
        )
        services += spools.all.map { MaintenanceService(clock: clock, logger: logger, keep: $0.keep) }
        services.append(ServiceFunction(body: cameras.publish))
        return Daemon.Parts(services: services) { deadline in await spools.close(until: deadline) }
    }

    /// Parts of a private daemon, whose client is on standard input: no socket, no spool, no schedules.
    private static func privateParts(
        _ settings: DaemonSettings,
        _ clock: any MonotonicClock,
        _ logger: Logger
    ) -> Daemon.Parts {
        let registry = MetricsRegistry.ofProcess
        let spools = Spools(all: [])
        let journal = EventJournal(now: clock.wall, clock: clock)
        let cameras = Cameras(settings: settings, spools: spools, clock: clock, logger: logger, tell: journal.tell)
        let server = ClientServer(
            descriptor: STDIN_FILENO,
            services: services(
                cameras,
                spools,
                journal,
                registry,
                NoReload(),
                NoHooks(),
                AccessPolicy(AccessRules(nil)),
                clock
            ),
            logger: logger
        ) {
            // The usual shutdown with its time limit, even if the client was killed and a driver hangs.
            kill(getpid(), SIGTERM)
        }
        return Daemon.Parts(
            services: [
                server, ServiceFunction(body: cameras.closeAtShutdown), ServiceFunction(body: cameras.watchDevices),
            ],
            close: { _ in }
        )
    }

    private static func services(
        _ cameras: Cameras,
        _ spools: Spools,
        _ journal: EventJournal,
        _ registry: MetricsRegistry,
        _ reload: any ReloadService,
        _ hooks: any HookService,
        _ access: AccessPolicy,
        _ clock: any MonotonicClock
    ) -> ControlServices {
        let (version, frames) = (TintypeVersion.current, Frames(spools: spools.all, clock: clock))
        return ControlServices(
            version: version,
            cameras: cameras,
            frames: frames,
            events: journal,
            metrics: Metrics(version: version, cameras: cameras, frames: frames, registry: registry),
            reload: reload,
            hooks: hooks,
            access: access,
            clock: clock
        )
    }
}

/// A service from a function that must end at graceful shutdown.
struct ServiceFunction: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
