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

    /// These services of a daemon.
    package init(
        version: String,
        cameras: any CameraService,
        frames: any FrameService,
        events: any EventService,
        metrics: any MetricsService,
        reload: any ReloadService,
        hooks: any HookService
    ) {
        self.version = version
        self.cameras = cameras
        self.frames = frames
        self.events = events
        self.metrics = metrics
        self.reload = reload
        self.hooks = hooks
    }

    /// The health of the daemon; opens no camera and waits for no disk.
    package func health() async -> Health {
        Health(version: version, cameras: await cameras.cameras(), spools: frames.conditions())
    }
}
