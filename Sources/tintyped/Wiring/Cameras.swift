// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Configured cameras, or else all devices found; nothing in this file opens a camera.
final class Cameras: Sendable {
    /// Time limit for closing a camera, whose thread is abandoned then, as it hangs in the driver.
    private static let closing = Duration.milliseconds(150)

    private struct Roster {
        var configured: [Camera]
        /// All capture nodes found are cameras too.
        var discovers: Bool
        var discovered: [String: Camera] = [:]

        var all: [Camera] { configured + discovered.values }

        /// Any camera can be a device of this machine.
        var hasDevices: Bool { discovers || configured.contains { !$0.source.isPattern } }

        subscript(name: String) -> Camera? { configured.first { $0.name == name } ?? discovered[name] }
    }

    let spools: Spools
    let recordings: Recordings
    private let savedProfiles: ProfileStore
    let tolerances: ToleranceStore
    let tell: EventSink
    private let roster: Mutex<Roster>
    let scanner: CameraScanner
    let encoding: EncodingThreads
    let clock: any MonotonicClock
    let examinations: RequestLimiter
    let readCodes: CodeReading
    /// Limits the processes that clients start.
    let scans = RequestLimiter(for: "scan a camera", places: 16)
    let logger: Logger
    /// Path of the daemon's socket, for commands.
    let socket: String
    /// Cameras whose schedules and triggers are to be run; for a single consumer.
    let published = AsyncStream.makeStream(of: Camera.self)
    /// Yields an element when the cameras change; for a single consumer.
    private let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        settings: DaemonSettings,
        spools: Spools,
        recordings: Recordings = Recordings(),
        tolerances: ToleranceStore = ToleranceStore(),
        clock: any MonotonicClock,
        examinations: RequestLimiter = RequestLimiter(for: "examine a camera", places: 256),
        readCodes: CodeReading? = nil,
        logger: Logger,
        tell: @escaping EventSink = { _ in }
    ) {
        (self.spools, self.recordings, self.tolerances) = (spools, recordings, tolerances)
        (self.clock, self.examinations) = (clock, examinations)
        (self.logger, self.tell, socket) = (logger, tell, settings.configuration.socket.path)
        self.readCodes = readCodes ?? CodeReader(program: CodeReader.installed, clock: clock).read
        scanner = CameraScanner(clock: clock)
        encoding = EncodingThreads(count: CameraScanner.coreCount, clock: clock)
        savedProfiles = ProfileStore(in: settings.configuration.stateFolder, clock: clock)
        roster = Mutex(Roster(configured: [], discovers: settings.discovers))
        let all = settings.cameras.map { Camera($0, of: self) }
        roster.withLock { $0.configured = all }
        follow(all)
        changes.continuation.yield()
    }

    /// Starts the schedules and triggers of cameras, which must be in the roster: a slot due at once looks them up.
    private func follow(_ cameras: [Camera]) { for camera in cameras { published.continuation.yield(camera) } }
    var all: [Camera] { roster.withLock(\.all) }

    var profiles: Profiles { Profiles(cameras: roster.withLock(\.configured).map(\.configuration), in: savedProfiles) }

    /// Throws `camera-not-found`.
    func find(_ name: String) async throws(Problem) -> Camera {
        if let camera = roster.withLock({ $0[name] }) { return camera }
        if roster.withLock(\.discovers) {
            adopt(await scanner.sightings([]).findings)
            if let camera = roster.withLock({ $0[name] }) { return camera }
        }
        let none = "No camera is configured and none was found: plug one in, or start tintyped with --pattern."
        let remedy = Spelling.remedy(for: name, among: all.map(\.name).sorted(), otherwise: none)
        throw Problem(.cameraNotFound, "There is no camera “\(name)”.", remedy: remedy)
    }

    /// Sessions are closed, and have triggers only.
    func adopt(_ findings: [CameraDiscovery.Finding]) {
        for finding in findings {
            let path = finding.identity.path
            let name = String(path.split(separator: "/").last ?? "")
            guard CameraName.isValid(name) else { continue }
            let found = roster.withLock { roster -> Camera? in
                guard roster.discovers, roster[name] == nil else { return nil }
                let found = Camera(CameraConfiguration(name: name, source: .node(path: path)), of: self)
                roster.discovered[name] = found
                return found
            }
            if let found { follow([found]) }
        }
    }

    // MARK: - Another configuration

    /// Cameras with the same configuration are kept, the others are closed and recreated.
    ///
    /// A device that does not close in time is abandoned with its thread.
    func apply(_ settings: DaemonSettings) async -> ReloadReport {
        let wanted = settings.cameras
        let (kept, ended) = roster.withLock { roster in
            // From here on, new nodes must not become cameras that would not be ended below.
            roster.discovers = roster.discovers && settings.discovers
            let kept = roster.configured.filter { wanted.contains($0.configuration) }
            let ended = roster.all.filter { camera in
                roster.discovered[camera.name] != nil
                    ? !settings.discovers : !kept.contains { $0.name == camera.name }
            }
            return (kept, ended)
        }
        // Before a new session for the same device.
        await close(ended) { name in
            let detail = "The configuration of the camera \(name) has changed, and it was closed."
            return Problem(.stopping, detail, remedy: "Ask again.", retryAfter: .seconds(1))
        }
        let configured = wanted.map { wish in kept.first { $0.name == wish.name } ?? Camera(wish, of: self) }
        roster.withLock { roster in
            roster.configured = configured
            roster.discovers = settings.discovers
            if !settings.discovers { roster.discovered = [:] }
        }
        follow(configured.filter { camera in !kept.contains { $0.name == camera.name } })
        changes.continuation.yield()
        return tellChange(from: (kept + ended).map(\.name), kept: kept.map(\.name), to: wanted.map(\.name))
    }

    private func tellChange(from old: [String], kept: [String], to new: [String]) -> ReloadReport {
        var report = ReloadReport()
        report.kept = kept.sorted()
        report.changed = new.filter { old.contains($0) && !kept.contains($0) }.sorted()
        report.added = new.filter { !old.contains($0) }.sorted()
        report.removed = old.filter { !new.contains($0) }.sorted()
        for (names, what) in [(report.changed, "changed"), (report.added, "new"), (report.removed, "gone")] {
            for name in names {
                let text = "The configuration was read again: that of the camera \(name) is \(what)."
                tell(Event(.configurationChanged, camera: name, text))
            }
        }
        return report
    }

    // MARK: - Status

    func cameras() async -> [CameraStatus] { await rosterStatus(scanner.sightings).cameras }

    /// Like ``cameras()``; scans only if devices may have changed since the last scan.
    func watchedCameras() async -> [CameraStatus] { await rosterStatus(scanner.watchedSightings).cameras }

    func list() async -> CameraList {
        let (cameras, sightings, roster) = await rosterStatus(scanner.sightings)
        let others = roster.discovers ? [] : sightings.unconfigured(besides: roster.configured.map(\.source))
        return CameraList(cameras: cameras, unconfigured: others)
    }

    private func rosterStatus(
        _ sightings: ([Camera.Source]) async -> CameraScanner.Sightings
    ) async -> (cameras: [CameraStatus], CameraScanner.Sightings, Roster) {
        let sightings = await sightings(roster.withLock(\.configured).map(\.source))
        adopt(sightings.findings)
        let roster = roster.withLock(\.self)
        let found = roster.discovered.values.filter { camera in
            // A discovered device that is gone and not in use is no longer a camera.
            sightings.finding(for: camera.source) != nil
                || ![.off, .failed].contains(camera.session.status.state.name)
        }
        let cameras = (roster.configured + found).map { status(of: $0, sightings) }.sorted { $0.name < $1.name }
        return (cameras, sightings, roster)
    }

    func camera(_ name: String) async throws(Problem) -> CameraStatus { await status(of: try await find(name)) }

    func status(of camera: Camera) async -> CameraStatus {
        status(of: camera, await scanner.sightings([camera.source]))
    }

    private func status(of camera: Camera, _ sightings: CameraScanner.Sightings) -> CameraStatus {
        var status = camera.session.status
        status.publishing = camera.publishing
        status.quality = camera.configuration.session.quality
        status.streams = camera.streams.status
        status.failing = camera.stills.failing
        if camera.source.isPattern {
            status.identity = PatternDevice.identity(named: camera.name)
            return status
        }
        if let finding = sightings.finding(for: camera.source) {
            status.authorization = finding.authorization
            status.identity = finding.identity
            status.match = sightings.bestMatch(for: finding)
        } else if let reason = sightings.unresolved(camera.source), reason.code == .cameraAmbiguous {
            if status.state == .off { status.state = .failed(reason: reason) }
        } else if !status.state.isStreaming, let access = sightings.access(to: camera.source) {
            status.authorization = access
            if access != .absent {
                status.identity = status.identity ?? sightings.unaskedIdentity(of: camera.source)
            } else if status.state == .off {
                status.identity = nil
            }
        }
        return status
    }

    // MARK: - Devices that come and go

    /// Retries cameras on changes of video nodes until graceful shutdown, once there are cameras that are devices.
    func watchDevices() async throws {
        for await _ in changes.stream.cancelOnGracefulShutdown() where roster.withLock(\.hasDevices) { break }
        guard roster.withLock(\.hasDevices) else { return }
        let watcher = NodeWatcher { [logger, self] changes in
            logger.debug("devices changed", metadata: ["changes": "\(changes)"])
            devicesChanged()
        }
        for trouble in watcher.errors {
            logger.warning("\(trouble) A camera that comes back may be noticed later.")
        }
        if watcher.errors.isEmpty { scanner.beginsWatch() }
        // Queries each node once in advance, so that the first client does not wait for that.
        devicesChanged()
        try? await gracefulShutdown()
        withExtendedLifetime(watcher) {}
    }

    private func devicesChanged() {
        for camera in all { camera.session.retryNow() }
        scanner.refresh()
    }

    /// Waits for graceful shutdown, then closes all cameras within ``closing``.
    func closeAtShutdown() async {
        try? await gracefulShutdown()
        await close(all) { _ in .daemonStops }
    }

    /// Cancels the schedules of cameras, which would continue with the next one of that name, then closes them for good.
    private func close(_ cameras: [Camera], because reason: @escaping @Sendable (String) -> Problem) async {
        await withTaskGroup(of: Void.self) { group in
            for camera in cameras {
                group.addTask { [logger, clock] in
                    await camera.cancellation.cancel(until: clock.now + Self.closing, by: clock)
                    let problem = reason(camera.name)
                    guard await !camera.session.end(within: Self.closing, because: problem) else { return }
                    let text: Logger.Message = "the camera could not be closed: its driver does not answer"
                    logger.warning(text, metadata: ["camera": "\(camera.name)"])
                }
            }
        }
    }
}
