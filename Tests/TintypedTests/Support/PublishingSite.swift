// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeCapture
import TintypeModel
import TintypeSpool
import TintypeThreads

@testable import tintyped

/// A daemon with the camera `pattern` and a spool, while its schedules are followed.
struct PublishingSite: Sendable {
    let cameras: Cameras
    let spool: Spool
    let folder: String
    let lines: LineRecorder
    let told: ToldEvents

    /// Publishes frames of `camera` into a spool in `folder` while `body` looks, then stops.
    static func run(
        _ camera: CameraConfiguration,
        in folder: TemporaryFolder,
        _ body: @escaping @Sendable (PublishingSite) async throws -> Void
    ) async throws {
        let (lines, told) = (LineRecorder(), ToldEvents())
        var configuration = Spool.Configuration(folder: folder.path)
        configuration.ownLatest = camera.latest == nil ? [] : [camera.name]
        let spool = await Spool.openOrWait(configuration, logger: lines.logger, clock: .system, until: soon).spool
        let settings = try DaemonSettings.only([camera], below: folder.path)
        let spools = Spools(all: [spool])
        let cameras = Cameras(
            settings: settings,
            spools: spools,
            clock: .system,
            logger: lines.logger,
            tell: told.tell
        )
        let site = PublishingSite(cameras: cameras, spool: spool, folder: folder.path, lines: lines, told: told)
        try await running([ServiceFunction(body: cameras.publish)]) { try await body(site) }
        for camera in cameras.all { #expect(await camera.session.end(within: .patience)) }
        await spool.close(until: soon)
    }

    func status() async throws -> CameraStatus { try await cameras.camera("pattern") }

    /// Waits until `isSo`, and says what for where that does not come about.
    func eventually(_ what: String, _ isSo: () async throws -> Bool) async throws {
        try await TestSupport.eventually("\(what); \(told.all.map(\.kind)) \(lines.lines.suffix(5))", isSo)
    }
}
