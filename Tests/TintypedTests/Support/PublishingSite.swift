// SPDX-License-Identifier: Apache-2.0
import ServiceLifecycle
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypeSpool

@testable import tintyped

/// Daemon with the camera `pattern`, a spool and running schedules, on ``TestClock``.
struct PublishingSite: Sendable {
    let cameras: Cameras
    let spool: SpoolStore
    let folder: String
    let lines: LineRecorder
    let told: ToldEvents
    /// Frames lost before those that a test counts.
    var lostBefore = 0

    /// Publishes frames of `camera` into a spool in `folder` during `body`.
    static func run(
        _ camera: CameraConfiguration,
        in folder: TemporaryFolder,
        readCodes: CodeReading? = nil,
        _ body: @escaping @Sendable (PublishingSite) async throws -> Void
    ) async throws {
        let (lines, told, clock) = (LineRecorder(), ToldEvents(), TestClock())
        var configuration = SpoolStore.Configuration(folder: folder.path)
        configuration.ownLatest = camera.latest == nil ? [] : [camera.name]
        let spool = await SpoolStore.openOrWait(configuration, logger: lines.logger, clock: clock, until: soon).spool
        let settings = try DaemonSettings.only([camera], below: folder.path)
        let spools = Spools(all: [spool])
        let cameras = Cameras(
            settings: settings,
            spools: spools,
            clock: clock,
            readCodes: readCodes,
            logger: lines.logger,
            tell: { event in
                var event = event
                event.at = clock.wall
                told.tell(event)
            }
        )
        let site = PublishingSite(cameras: cameras, spool: spool, folder: folder.path, lines: lines, told: told)
        let services: [any Service] = [cameras.recordings, ServiceFunction(body: cameras.publish)]
        try await running(services) { try await body(site) }
        for camera in cameras.all { #expect(await camera.session.end(within: .patience)) }
        await spool.close(until: soon)
    }

    /// As ``run(_:in:readCodes:_:)``, with a camera that is watched for motion, which its file `moves` starts and ends.
    static func watching(
        _ publish: [PublishSchedule],
        format: String = "MJPG:320x240@20",
        warmth: Warmth = .standard,
        ring: RingConfiguration?,
        _ body: @escaping @Sendable (PublishingSite) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        var motion = MotionSettings()
        motion.hold = .seconds(2)
        // Drawn frame number and time, which always change.
        motion.mask = [try #require(MaskShape("100x40+0+0"))]
        let pattern = CameraConfiguration(
            name: "pattern",
            source: .pattern(try PatternSpec("\(format),moves=\(folder.path)/moves")),
            session: SessionConfiguration(warmth: warmth, ring: ring, motion: motion),
            publish: publish
        )
        try await run(pattern, in: folder) { site in
            // Longer than the learning phase of motion detection.
            try await site.eventually("eighty frames have come") { try await site.status().counters.captured >= 80 }
            try await body(site)
        }
    }

    func status() async throws -> CameraStatus { try await cameras.camera("pattern") }

    /// The stored frames, oldest first.
    func frames() async throws -> [StillRecord] {
        try await spool.frames(FrameQuery(order: .oldest, limit: 1000), until: soon).frames.map(\.still)
    }

    /// Waits until `isSo` holds; throws after a minute of ``TestClock``.
    func eventually(
        _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isSo: () async throws -> Bool
    ) async throws {
        let isReached = try await reaches(isSo)
        let comment: Comment = "\(what); \(told.all.map(\.kind)) \(lines.lines.suffix(5))"
        try #require(isReached, comment, sourceLocation: sourceLocation)
    }
}
