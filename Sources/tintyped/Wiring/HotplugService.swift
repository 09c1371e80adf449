// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeDevice

/// Has cameras tried again as soon as something happens to a video node, and looks once at the start for what is there.
struct HotplugService: Service {
    let cameras: Cameras
    let logger: Logger

    func run() async throws {
        guard cameras.hasDevices else { return try await gracefulShutdown() }
        let watcher = NodeWatcher { [cameras, logger] changes in
            logger.debug("devices changed", metadata: ["changes": "\(changes)"])
            cameras.devicesChanged()
        }
        for trouble in watcher.errors {
            logger.warning("\(trouble) A camera that comes back may be noticed later.")
        }
        // Each node is asked what it is once, now, so that the first who asks need not wait for it.
        cameras.devicesChanged()
        try? await gracefulShutdown()
        withExtendedLifetime(watcher) {}
    }
}
