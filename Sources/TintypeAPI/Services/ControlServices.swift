// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
package import TintypeSystem

/// Services behind the HTTP API.
package struct ControlServices: Sendable {
    let version: String
    let cameras: any CameraService
    let frames: any FrameService
    let events: any EventService
    let metrics: any MetricsService
    let reload: any ReloadService
    let hooks: any HookService
    let access: AccessPolicy
    /// Source of the Date field; also measures client timeouts.
    let clock: any MonotonicClock

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

    /// Waits for no disk.
    package func health(of cameras: [CameraStatus], withSpools: Bool = true) -> Health {
        Health(version: version, cameras: cameras, spools: withSpools ? frames.conditions() : [])
    }
}

/// Source of the event stream.
///
/// Any thread; never blocks.
package protocol EventService: Sendable {
    /// Number of the newest event.
    var newest: Int { get }

    /// Events after number `last`, oldest first; empty if none are newer.
    ///
    /// Begins with a gap event if some are no longer available. Returns at most one batch for a client.
    func events(after last: Int) -> [Event]

    /// Yields at once, when newer events are available, and at intervals of seconds, which keep-alive messages rely on.
    ///
    /// Ends when its task is cancelled.
    func signals() -> AsyncStream<Void>
}

/// Status of hooks.
///
/// Any thread; never blocks.
package protocol HookService: Sendable {
    /// All configured hooks, sorted by name.
    func hooks() -> [HookStatus]
}

package protocol ReloadService: Sendable {
    /// Reads the configuration file again and applies it, completely or not at all.
    ///
    /// Throws `configuration-unsupported` with file, line and key if the configuration is invalid or needs a restart;
    /// the old one then stays in force.
    func reload() async throws(Problem) -> ReloadReport
}
