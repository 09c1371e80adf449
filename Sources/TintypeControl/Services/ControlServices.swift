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

    /// The health of the daemon; opens no camera and waits for no disk.
    package func health() async -> Health { await health { _ in true } }

    /// The health of the cameras that `includes` names, and of the spools where they are all.
    func health(withSpools: Bool = true, of includes: (String) -> Bool) async -> Health {
        let cameras = await cameras.cameras().filter { includes($0.name) }
        return Health(version: version, cameras: cameras, spools: withSpools ? frames.conditions() : [])
    }
}
