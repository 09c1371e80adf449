// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
package import TintypeSystem

package struct ControlServices: Sendable {
    let version: String
    let cameras: any CameraService
    let frames: any FrameService
    let events: any EventService
    let metrics: any MetricsService
    let reload: any ReloadService
    let hooks: any HookService
    let jobs: any JobService
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
        jobs: any JobService,
        access: AccessPolicy,
        clock: any MonotonicClock
    ) {
        (self.version, self.access, self.clock) = (version, access, clock)
        (self.cameras, self.frames, self.events) = (cameras, frames, events)
        (self.metrics, self.reload, self.hooks, self.jobs) = (metrics, reload, hooks, jobs)
    }

    /// Waits for no disk.
    package func health(of cameras: [CameraStatus], withSpools: Bool = true) -> Health {
        let spools = withSpools ? frames.conditions() : []
        return Health(version: version, cameras: cameras, spools: spools, jobs: withSpools ? jobs.conditions() : [])
    }
}

/// Source of the event stream; any thread, never blocks.
package protocol EventService: Sendable {
    var newest: Int { get }

    /// One batch of the events after number `last`, oldest first, beginning with a gap event if some are lost; 0 for all.
    func events(after last: Int) -> [Event]

    /// Yields at once, when newer events are available, and every few seconds for keep-alive; ends with its task.
    func signals() -> AsyncStream<Void>
}

/// Any thread; never blocks.
package protocol HookService: Sendable {
    /// All configured hooks, sorted by name.
    func hooks() -> [HookStatus]
}

package protocol ReloadService: Sendable {
    /// Applies the configuration file completely or not at all; throws `configuration-unsupported` with file, line and
    /// key if it is invalid or needs a restart, which leaves the old one in force.
    func reload() async throws(Problem) -> ReloadReport
}
