// SPDX-License-Identifier: Apache-2.0
import Logging
import ServiceLifecycle
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypePattern
import TintypeSpool

@testable import tintyped

/// What the catalog says of how a published frame came into the spool.
@Suite(.serialized)
struct PublishedSourceTests {
    @Test(arguments: [.every(.milliseconds(200), .start), .nth(5), .nth(1)] as [PublishSchedule.Rate])
    func `a frame that was published is one whose source is publish, by whichever schedule`(
        _ rate: PublishSchedule.Rate
    ) async throws {
        let folder = try TemporaryFolder()
        let pattern = CameraConfiguration(
            name: "pattern",
            source: .pattern(try PatternSpec("YUYV:256x64@50")),
            session: SessionConfiguration(warmth: .cold),
            publish: [PublishSchedule(rate: rate)]
        )
        let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
        var settings = try DaemonSettings(file: nil, socket: nil, spool: nil, patterns: [], workingFolder: folder.path)
        (settings.patterns, settings.discovers) = ([pattern], false)
        let end = soon
        let place = Spool.Configuration(folder: folder.path)
        let spool = await Spool.openOrWait(place, logger: quiet, until: end).spool
        let cameras = Cameras(settings: settings, spools: Spools([spool]), logger: quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await cameras.publish() }
            try await eventually("four frames") { try await spool.statistics(until: end).total.frames >= 4 }
            group.cancelAll()
        }
        let frames = try await spool.frames(FrameQuery(), until: end).frames
        #expect(frames.count >= 4 && frames.allSatisfy { $0.source == .publish })
        for camera in cameras.all { #expect(await camera.session.end(within: .patience)) }
        await spool.close(until: end)
    }
}
