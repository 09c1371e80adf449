// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
package import TintypeSystem

/// All that the HTTP API asks.
package struct ControlServices: Sendable {
    /// The daemon's version.
    let version: String
    let cameras: any CameraService
    let frames: any FrameService
    let events: any EventService
    let metrics: any MetricsService
    let reload: any ReloadService
    let hooks: any HookService
    let access: AccessPolicy
    /// Dates replies, and measures the pauses of clients.
    let clock: any MonotonicClock

    /// These services of a daemon.
    package init(
        version: String,
        cameras: any CameraService,
        frames: any FrameService,
        events: any EventService,
        metrics: any MetricsService,
        reload: any ReloadService,
        hooks: any HookService,
        access: AccessPolicy,
        clock: any MonotonicClock
    ) {
        self.version = version
        self.cameras = cameras
        self.frames = frames
        self.events = events
        self.metrics = metrics
        self.reload = reload
        self.hooks = hooks
        self.access = access
        self.clock = clock
    }

    /// The health of these cameras, and of the spools if `withSpools`; waits for no disk.
    package func health(of cameras: [CameraStatus], withSpools: Bool = true) -> Health {
        Health(version: version, cameras: cameras, spools: withSpools ? frames.conditions() : [])
    }
}

/// The events that the HTTP API tells; any thread, never blocks.
package protocol EventService: Sendable {
    /// The number of the newest event.
    var newest: Int { get }

    /// The events after that of the number `last`, the oldest first; a gap first where some are missing there.
    ///
    /// Not more than a client is to be sent at once; none where there are no newer ones.
    func events(after last: Int) -> [Event]

    /// Tells at once, and again whenever there are newer events, that it is time to look; ends with its task.
    func signals() -> AsyncStream<Void>
}

/// What came of the hooks; any thread, never blocks.
package protocol HookService: Sendable {
    /// Every hook of the configuration, by name.
    func hooks() -> [HookStatus]
}

/// Reads the configuration again.
package protocol ReloadService: Sendable {
    /// Reads the configuration file again, and goes by it from then on: wholly, or not at all.
    ///
    /// Throws `configuration-unsupported` with the file, the line and the key for one that is wrong or cannot be taken without
    /// a restart: the old one stays in force.
    func reload() async throws(Problem) -> ReloadReport
}
