// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeCapture
internal import TintypeControl
internal import TintypeDevice
internal import TintypeFrames
internal import TintypeModel
internal import TintypePattern
internal import TintypeSpool
internal import TintypeStills
internal import TintypeThreads

/// The cameras of the daemon, as the API asks for them.
///
/// Status comes from what the sessions published last, and who is there from sysfs: nothing here opens a camera but
/// ``still(_:of:)``, ``stills(_:of:telling:)``, ``formats(of:)`` and ``examine(_:of:)``.
final class Cameras: CameraService {
    private let configured: [Camera]
    private let discovers: Bool
    private let spools: Spools
    private let encoding: EncodingThreads
    private let waiting = WaitingRoom()
    private let logger: Logger
    private let discovered = Mutex<[String: Camera]>([:])
    private let scanner: CameraScanner
    let profiles: Profiles

    init(settings: DaemonSettings, spools: Spools, logger: Logger) {
        self.spools = spools
        self.logger = logger
        discovers = settings.discovers
        encoding = EncodingThreads(count: CameraScanner.coreCount)
        scanner = CameraScanner()
        profiles = Profiles(
            cameras: settings.configuration.cameras,
            state: settings.configuration.state.folder
        )
        let (encoding, waiting) = (encoding, waiting)
        let discovery = scanner.discovery
        let files = settings.configuration.cameras.map { camera in
            Camera(
                name: camera.name,
                source: camera.source,
                configuration: SessionConfiguration(
                    format: camera.format,
                    input: camera.input,
                    warmth: camera.warmth,
                    controls: camera.controls,
                    ring: camera.ring,
                    allowsGap: camera.allowsGap,
                    lead: camera.lead
                ),
                quality: camera.quality,
                position: camera.position,
                overlay: camera.overlay,
                publish: camera.publish,
                latest: camera.latest,
                discovery: discovery,
                encoding: encoding,
                waiting: waiting,
                logger: logger
            )
        }
        let patterns = settings.patterns.map { pattern in
            Camera(
                name: pattern.name,
                source: .pattern(pattern.spec),
                configuration: SessionConfiguration(warmth: pattern.warmth),
                publish: pattern.publish,
                latest: pattern.latest,
                discovery: discovery,
                encoding: encoding,
                waiting: waiting,
                logger: logger
            )
        }
        configured = files + patterns
    }

    /// All cameras that have a session.
    var all: [Camera] { configured + discovered.withLock { Array($0.values) } }

    // MARK: - CameraService

    func cameras() async -> [CameraStatus] {
        let sightings = await scanner.sightings(configured.map(\.source))
        if discovers { adopt(sightings.findings) }
        let known = configured.map { status(of: $0, sightings) }
        let found = discovered.withLock { Array($0.values) }
            .filter { camera in
                // One that is gone and without waiting clients is no camera of this machine.
                sightings.finding(for: camera.source) != nil
                    || ![.off, .failed].contains(camera.session.status.state.name)
            }
            .map { status(of: $0, sightings) }
        return (known + found).sorted { $0.name < $1.name }
    }

    func camera(_ name: String) async throws(Problem) -> CameraStatus {
        let camera = try await find(name)
        return status(of: camera, await scanner.sightings([camera.source]))
    }

    func formats(of name: String) async throws(Problem) -> [FormatDescription] {
        try await find(name).session.formats()
    }

    func configuration(of name: String) async throws(Problem) -> ConfigurationReport {
        try await find(name).session.report
    }

    func configure(
        _ settings: CameraSettings,
        ifRevision revision: Int?,
        of name: String
    ) async throws(Problem) -> ConfigurationReport {
        let session = try await find(name).session
        var configuration = session.hub.snapshot.configuration
        configuration.settings = settings
        return try await session.apply(configuration, ifRevision: revision)
    }

    func still(_ request: StillRequest, of name: String) async throws(Problem) -> Still {
        try await find(name).stills.noting(request) { () throws(Problem) in
            try await still(request, source: .request, of: name)
        }
    }

    /// The same for a caller that stores the frame.
    func still(_ request: StillRequest, source: FrameSource, of name: String) async throws(Problem) -> Still {
        let began = MonotonicTime.now()
        let camera = try await find(name)
        var request = camera.completed(request)
        request.deadline = max(.zero, began + request.deadline - .now())
        var still = try await camera.output.take(request)
        still.record = try await store(still, request, source: source, until: began + request.deadline)
        return still
    }

    func stills(
        _ request: StillRequest,
        of name: String,
        telling: @escaping @Sendable (StillRecord) -> Void
    ) async throws(Problem) -> StillList {
        guard request.burst != nil else { return StillList(stills: [try await still(request, of: name).record]) }
        let camera = try await find(name)
        let request = camera.completed(request)
        return try await camera.stills.noting(request) { () throws(Problem) in
            let output = BurstOutput(session: camera.session)
            return try await output.take(request, telling: telling) { (still, deadline) throws(Problem) in
                try await self.store(still, request, until: deadline)
            }
        }
    }

    /// Stores a still if it is to be kept, and returns its record as it is then.
    func store(
        _ still: Still,
        _ request: StillRequest,
        source: FrameSource = .request,
        until deadline: MonotonicTime
    ) async throws(Problem) -> StillRecord {
        guard request.keep else { return still.record }
        let taken = MonotonicTime.now()
        let age = still.record.ageMs?.duration ?? .zero
        let spool = try spools.spool(of: still.record.camera)
        var record = try await spool.store(still, durability: request.durability, source: source, until: deadline)
        record.ageMs = Milliseconds(age + (.now() - taken))
        return record
    }

    /// Puts a picture of no row in place of the camera's `latest.jpg`.
    func replaceLatest(
        of name: String,
        by picture: [UInt8],
        until deadline: MonotonicTime
    ) async throws(Problem) {
        try await spools.spool(of: name).replaceLatest(of: name, by: picture, until: deadline)
    }

    func resetTolerance(of name: String) async throws(Problem) -> CameraStatus {
        try await find(name).session.quirks.reset()
        return try await camera(name)
    }

    func examine(_ request: ExaminationRequest, of name: String) async throws(Problem) -> Examination {
        let camera = try await find(name)
        let status = status(of: camera, await scanner.sightings([camera.source]))
        return await ExaminationOutput(session: camera.session).examine(request, of: status, quality: camera.quality)
    }

    // MARK: - Devices that come and go

    /// Whether any camera is one that can come and go.
    var hasDevices: Bool {
        discovers || configured.contains { camera in if case .pattern = camera.source { false } else { true } }
    }

    /// Looks for what is there now, and has every camera that waits for its device try again at once.
    ///
    /// Any thread; never blocks.
    func devicesChanged() {
        for camera in all { camera.session.retryNow() }
        scanner.refresh()
    }

    // MARK: - Finding

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
                    name: name,
                    source: .node(path: path),
                    discovery: scanner.discovery,
                    encoding: encoding,
                    waiting: waiting,
                    logger: logger
                )
            }
        }
    }

    private func status(of camera: Camera, _ sightings: CameraScanner.Sightings) -> CameraStatus {
        var status = camera.session.status
        status.publishing = camera.publishing
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
        } else if ![.settling, .running].contains(status.state.name) {
            status.authorization = sightings.access(to: camera.source)
            if status.authorization != .absent {
                status.identity = status.identity ?? sightings.unaskedIdentity(of: camera.source)
            } else if status.state == .off {
                status.identity = nil
            }
        }
        return status
    }
}
