// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

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

    /// These services of a daemon.
    package init(
        version: String,
        cameras: any CameraService,
        frames: any FrameService,
        events: any EventService,
        metrics: any MetricsService,
        reload: any ReloadService,
        hooks: any HookService,
        access: AccessPolicy
    ) {
        self.version = version
        self.cameras = cameras
        self.frames = frames
        self.events = events
        self.metrics = metrics
        self.reload = reload
        self.hooks = hooks
        self.access = access
    }

    /// The health of these cameras, and of the spools if `withSpools`; waits for no disk.
    package func health(of cameras: [CameraStatus], withSpools: Bool = true) -> Health {
        Health(version: version, cameras: cameras, spools: withSpools ? frames.conditions() : [])
    }
}
