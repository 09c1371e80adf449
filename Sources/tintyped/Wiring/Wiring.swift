// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// The only place that knows cameras, spools and socket.
struct Wiring: Sendable {
    let settings: DaemonSettings
    let clock: any MonotonicClock
    let logger: Logger
    let journal: EventJournal
    let hooks: Hooks
    let spools: Spools
    let jobs: JobScheduler
    let cameras: Cameras
    let access: AccessPolicy
}

extension Wiring {
    /// Throws ``Problem`` or an error of the listener.
    @Sendable static func assemble(
        _ settings: DaemonSettings,
        _ passed: PassedSockets,
        _ reloading: Reloading,
        _ clock: any MonotonicClock,
        _ logger: Logger,
        _ listening: @escaping @Sendable () async -> Void
    ) async throws -> Daemon.Parts {
        guard !settings.isPrivate else { return try await Wiring(settings, clock, logger).privateParts() }
        // The socket first, so that a second daemon fails before it touches anything.
        let socket = settings.configuration.socket
        let listener =
            if let control = passed.control {
                ControlListener(passed: control.descriptor, path: control.path)
            } else {
                try ControlListener(path: socket.path, mode: socket.mode, group: socket.group)
            }
        return try await Wiring(settings, clock, logger).parts(listener, passed, reloading, listening)
    }

    private init(_ settings: DaemonSettings, _ clock: any MonotonicClock, _ logger: Logger) async throws(Problem) {
        (self.settings, self.clock, self.logger) = (settings, clock, logger)
        // Before anything creates metrics.
        _ = MetricsRegistry.ofProcess
        journal = EventJournal(now: clock.wall, clock: clock)
        let tell: EventSink = journal.append
        // Before any events.
        hooks = Hooks(settings, journal: journal, clock: clock, logger: logger)
        spools =
            settings.isPrivate
            ? Spools(all: [])
            : try await Spools.open(settings.configuration, clock: clock, logger: logger, tell: tell)
        let recordings = Recordings()
        jobs = JobScheduler(
            settings.configuration,
            stores: spools.all,
            recordings: recordings,
            journal: journal,
            clock: clock,
            logger: logger
        )
        recordings.whenChanged.withLock { [jobs] in $0 = jobs.wake }
        let (folder, isReadOnly) = (settings.configuration.stateFolder, settings.isPrivate)
        let store = await ToleranceFile.store(in: folder, isReadOnly: isReadOnly, clock: clock, logger: logger)
        cameras = .init(
            settings: settings,
            spools: spools,
            recordings: recordings,
            tolerances: store,
            clock: clock,
            logger: logger,
            tell: tell
        )
        access = AccessPolicy(settings.configuration.accessRules(logger: logger))
    }

    private func parts(
        _ listener: consuming ControlListener,
        _ passed: PassedSockets,
        _ reloading: Reloading,
        _ listening: @escaping @Sendable () async -> Void
    ) -> Daemon.Parts {
        let reload = Reload(self, reloading)
        let listens = AsyncStream.makeStream(of: Never.self)
        let asked = services { () throws(Problem) in try await reload.reload() }
        let tcp = settings.configuration.tcp?.address
        let invocation = ProcessInfo.processInfo.environment["INVOCATION_ID"]
        if let warning = ServiceNetwork.warning(tcp, invocation: invocation, devices: ServiceNetwork.devices) {
            logger.warning("\(warning)")
        }
        var limits = ServerLimits.within(openFiles: DescriptorLimit.openFiles)
        limits.parting = settings.replyLimit
        let server = ControlServer(
            listener: listener,
            tcp: tcp,
            passed: passed.network,
            services: asked,
            logger: logger,
            limits: limits,
            onListening: { [listens = listens.continuation] in listens.finish() }
        )
        let health = HealthWatch(
            clock: clock,
            cameras: cameras.watchedCameras,
            health: { asked.health(of: $0) },
            tell: journal.append,
            publish: { reloading.notifier.status(StatusText.line(serving: settings.socketSummary, $0)) }
        )
        // Shut down from last to first: clients that wait for a frame get their answer before they are disconnected.
        var services: [any Service] = [
            spools, server, ServiceFunction(body: cameras.closeAtShutdown), ServiceFunction(body: cameras.watchDevices),
            journal, reload, hooks, health,
        ]
        services += serviceManager(passed, reloading.notifier, server, listens: listens.stream, ready: listening)
        services += spools.all.map { MaintenanceService(clock: clock, logger: logger, keep: $0.keep) }
        services += [jobs, cameras.recordings, ServiceFunction(body: cameras.publish)]
        return Daemon.Parts(services: services) { deadline in await spools.close(until: deadline) }
    }

    /// Parts of a private daemon, whose client is on standard input: no socket, no spool, no schedules.
    private func privateParts() -> Daemon.Parts {
        let services = services { () throws(Problem) in
            let detail = "This tintyped was started without a configuration."
            throw Problem(.configurationUnsupported, detail, remedy: "Ask the tintyped that runs as a service.")
        }
        let server = ClientServer(descriptor: STDIN_FILENO, services: services, logger: logger) {
            // The usual shutdown with its time limit, even if the client was killed and a driver hangs.
            kill(getpid(), SIGTERM)
        }
        let closing = ServiceFunction(body: cameras.closeAtShutdown)
        return Daemon.Parts(services: [server, closing, ServiceFunction(body: cameras.watchDevices)]) { _ in true }
    }

    private func services(_ reload: @escaping ControlServices.Reload) -> ControlServices {
        let version = TintypeVersion.current
        let frames = Frames(spools: spools.all, clock: clock)
        return ControlServices(
            version: version,
            cameras: cameras,
            frames: frames,
            events: journal,
            metrics: Metrics(version: version, cameras: cameras, frames: frames, hooks: hooks, jobs: jobs).families,
            reload: reload,
            hooks: hooks.hooks,
            jobs: jobs,
            access: access,
            clock: clock
        )
    }
}

/// The function must end at graceful shutdown.
struct ServiceFunction: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
