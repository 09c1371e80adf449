// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
package import TintypeSystem

package struct ControlServices: Sendable {
    /// Current metrics; opens no camera, and waits at most one second for a disk.
    package typealias Metrics = @Sendable () async -> [MetricFamily]
    /// All configured hooks, sorted by name; never blocks.
    package typealias Hooks = @Sendable () -> [HookStatus]
    /// Applies the configuration file completely or not at all; throws `configuration-unsupported` with file, line and
    /// key if it is invalid or needs a restart, which leaves the old one in force.
    package typealias Reload = @Sendable () async throws(Problem) -> ReloadReport

    let version: String
    let cameras: any CameraService
    let frames: any FrameService
    let events: any EventService
    let metrics: Metrics
    let hooks: Hooks
    let reload: Reload
    let jobs: any JobService
    let access: AccessPolicy
    /// Source of the Date field; also measures client timeouts.
    let clock: any MonotonicClock

    package init(
        version: String,
        cameras: any CameraService,
        frames: any FrameService,
        events: any EventService,
        metrics: @escaping Metrics,
        reload: @escaping Reload,
        hooks: @escaping Hooks,
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
        guard withSpools else { return Health(version: version, cameras: cameras, spools: [], jobs: []) }
        return Health(version: version, cameras: cameras, spools: frames.conditions(), jobs: jobs.conditions())
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
