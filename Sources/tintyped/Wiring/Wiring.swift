// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeCapture
internal import TintypeControl
internal import TintypeModel
internal import TintypeSpool

/// Puts the daemon together: the one place that knows cameras, spool and socket.
enum Wiring {
    /// The longest time that a spool may take to open; a large folder is reconciled in it.
    private static let opening = Duration.seconds(60)

    /// Makes the parts of the daemon; throws ``Problem`` or an error of the listener.
    @Sendable static func assemble(
        _ settings: DaemonSettings,
        _ logger: Logger,
        _ listening: @escaping @Sendable () async -> Void
    ) async throws -> Daemon.Parts {
        // The socket first: a second daemon is told so before it touches anything.
        let socket = settings.configuration.socket
        let listener = try ControlListener(path: socket.path, mode: socket.mode, group: socket.group)
        let folder = settings.configuration.spool
        let spool = try await Spool.open(
            Spool.Configuration(
                folder: folder.folder,
                folderMode: UInt32(folder.folderMode),
                fileMode: UInt32(folder.fileMode)
            ),
            logger: logger,
            until: .now() + opening
        )
        let cameras = Cameras(settings: settings, spool: spool, logger: logger)
        let server = ControlServer(
            listener: listener,
            cameras: cameras,
            frames: Frames(spool: spool),
            version: TintypeVersion.current,
            logger: logger,
            onListening: listening
        )
        // They end from the last to the first: whoever waits for a frame is told before the server closes connections.
        var services: [any Service] = [server]
        services.append(SessionsService(cameras: cameras, logger: logger))
        services.append(HotplugService(cameras: cameras, logger: logger))
        services += publishers(settings, cameras, logger)
        return Daemon.Parts(services: services) { deadline in await spool.close(until: deadline) }
    }

    private static func publishers(_ settings: DaemonSettings, _ cameras: Cameras, _ logger: Logger) -> [any Service] {
        settings.configuration.cameras.compactMap { camera -> (any Service)? in
            guard let schedule = camera.publish else { return nil }
            let hub = cameras.all.first { $0.name == camera.name }?.session.hub
            return Publisher(
                camera: camera.name,
                schedule: schedule,
                clock: SuspendingClock(),
                logger: logger,
                missed: { slots in hub?.count { $0.missedSlots += UInt64(slots) } },
                take: { (deadline) throws(Problem) in
                    let request = StillRequest(fresh: .request, deadline: deadline)
                    let record = try await cameras.still(request, of: camera.name).record
                    hub?.count { $0.published += 1 }
                    return record
                }
            )
        }
    }
}
