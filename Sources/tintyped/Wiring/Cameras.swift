// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeFrames
internal import TintypeModel
internal import TintypePattern
internal import TintypeStills

/// The cameras of the daemon: those of the configuration, and those that are found where it has none.
///
/// Status comes from what the sessions published last, and who is there from sysfs: nothing in this file opens a camera.
final class Cameras: Sendable {
    /// A camera that takes longer to close hangs in its driver, and its thread is left behind.
    private static let closing = Duration.milliseconds(150)

    let spools: Spools
    let profiles: Profiles
    let calibrations: Calibrations
    private let configured: [Camera]
    private let discovers: Bool
    private let discovered = Mutex<[String: Camera]>([:])
    private let scanner = CameraScanner()
    private let encoding = EncodingThreads(count: CameraScanner.coreCount)
    private let waiting = WaitingRoom()
    private let logger: Logger
    let tell: EventSink

    /// The cameras of these settings; with the saved calibrations, or with none.
    ///
    /// `tell` gets what happens to them.
    init(
        settings: DaemonSettings,
        spools: Spools,
        calibrations: Calibrations? = nil,
        logger: Logger,
        tell: @escaping EventSink = { _ in }
    ) {
        let calibrations = calibrations ?? Calibrations(in: StateFolder(settings.configuration.state.folder))
        self.spools = spools
        self.logger = logger
        self.tell = tell
        discovers = settings.discovers
        self.calibrations = calibrations
        profiles = Profiles(cameras: settings.configuration.cameras, in: calibrations.state)
        let (discovery, encoding, waiting) = (scanner.discovery, encoding, waiting)
        configured = (settings.configuration.cameras + settings.patterns).map { camera in
            Camera(
                camera,
                calibration: calibrations[camera.name],
                discovery: discovery,
                encoding: encoding,
                waiting: waiting,
                logger: logger,
                tell: tell
            )
        }
    }

    /// All cameras that have a session.
    var all: [Camera] { configured + discovered.withLock { Array($0.values) } }

    /// The camera called `name`; throws `camera-not-found`.
    func find(_ name: String) async throws(Problem) -> Camera {
        if let camera = configured.first(where: { $0.name == name }) { return camera }
        if discovers {
            if let camera = discovered.withLock({ $0[name] }) { return camera }
            adopt(await scanner.sightings([]).findings)
            if let camera = discovered.withLock({ $0[name] }) { return camera }
        }
        let names = all.map(\.name).sorted()
        throw Problem(
            .cameraNotFound,
            "There is no camera “\(name)”.",
            remedy: Spelling.remedy(
                for: name,
                among: names,
                otherwise: "No camera is configured and none was found: plug one in, or start tintyped with --pattern."
            )
        )
    }

    /// Gives every node that was found a session; the camera stays closed.
    private func adopt(_ findings: [CameraDiscovery.Finding]) {
        discovered.withLock { cameras in
            for finding in findings {
                let path = finding.identity.path
                let name = String(path.split(separator: "/").last ?? "")
                guard CameraName.isValid(name), cameras[name] == nil else { continue }
                cameras[name] = Camera(
                    CameraConfiguration(name: name, source: .node(path: path)),
                    calibration: calibrations[name],
                    discovery: scanner.discovery,
                    encoding: encoding,
                    waiting: waiting,
                    logger: logger,
                    tell: tell
                )
            }
        }
    }

    // MARK: - Status

    func cameras() async -> [CameraStatus] {
        let sightings = await scanner.sightings(configured.map(\.source))
        if discovers { adopt(sightings.findings) }
        let found = discovered.withLock { Array($0.values) }.filter { camera in
            // One that is gone and without waiting clients is no camera of this machine.
            sightings.finding(for: camera.source) != nil
                || ![.off, .failed].contains(camera.session.status.state.name)
        }
        return (configured + found).map { status(of: $0, sightings) }.sorted { $0.name < $1.name }
    }

    func camera(_ name: String) async throws(Problem) -> CameraStatus { await status(of: try await find(name)) }

    func status(of camera: Camera) async -> CameraStatus {
        status(of: camera, await scanner.sightings([camera.source]))
    }

    private func status(of camera: Camera, _ sightings: CameraScanner.Sightings) -> CameraStatus {
        var status = camera.session.status
        status.publishing = camera.publishing
        status.quality = camera.quality
        status.streams = camera.streams.status
        status.failing = camera.stills.failing
        if case .pattern = camera.source {
            status.identity = PatternDevice.identity(named: camera.name)
            return status
        }
        if let finding = sightings.finding(for: camera.source) {
            status.authorization = finding.authorization
            status.identity = finding.identity
            status.match = sightings.bestMatch(for: finding)
        } else if let ambiguity = sightings.ambiguity(of: camera.source) {
            if status.state == .off { status.state = .failed(reason: ambiguity) }
        } else if !status.state.isStreaming {
            status.authorization = sightings.access(to: camera.source)
            if status.authorization != .absent {
                status.identity = status.identity ?? sightings.unaskedIdentity(of: camera.source)
            } else if status.state == .off {
                status.identity = nil
            }
        }
        return status
    }

    // MARK: - Devices that come and go

    /// Has cameras tried again as soon as something happens to a video node, until graceful shutdown, and looks once at the
    /// start for what is there.
    func watchDevices() async throws {
        let hasDevices =
            discovers || configured.contains { camera in if case .pattern = camera.source { false } else { true } }
        guard hasDevices else { return try await gracefulShutdown() }
        let watcher = NodeWatcher { [logger, self] changes in
            logger.debug("devices changed", metadata: ["changes": "\(changes)"])
            devicesChanged()
        }
        for trouble in watcher.errors {
            logger.warning("\(trouble) A camera that comes back may be noticed later.")
        }
        // Each node is asked what it is once, now, so that the first client that asks need not wait for it.
        devicesChanged()
        try? await gracefulShutdown()
        withExtendedLifetime(watcher) {}
    }

    private func devicesChanged() {
        for camera in all { camera.session.retryNow() }
        scanner.refresh()
    }

    /// Waits for graceful shutdown, then closes every camera that answers; none is waited for for long.
    func closeAtShutdown() async {
        try? await gracefulShutdown()
        await withTaskGroup(of: Void.self) { group in
            for camera in all {
                group.addTask { [logger] in
                    guard await !camera.session.end(within: Self.closing) else { return }
                    logger.warning(
                        "stopping without closing the camera: its driver does not answer",
                        metadata: ["camera": "\(camera.name)"]
                    )
                }
            }
        }
    }
}
