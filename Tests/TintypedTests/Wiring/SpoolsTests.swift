// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeModel
import TintypeSpool

@testable import tintyped

struct SpoolsTests {
    private let clock = TestClock()
    private let folder = TemporaryFolder()

    private func still(_ camera: String) -> Still {
        Still(record: StillRecord(at: .now(), camera: camera, bytes: 4), picture: [0xFF, 0xD8, 0xFF, 0xD9])
    }

    private var configuration: DaemonConfiguration {
        var configuration = DaemonConfiguration()
        configuration.spool.folder = folder.path + "/main"
        configuration.spools = [SpoolSettings(name: "usb", folder: folder.path + "/usb")]
        configuration.cameras = [
            CameraConfiguration(name: "door", source: .node(path: "/dev/video0")),
            CameraConfiguration(name: "yard", source: .node(path: "/dev/video1"), spool: "usb"),
        ]
        return configuration
    }

    @Test func `stores and finds each camera's pictures in its spool`() async throws {
        let spools = try await Spools.open(configuration, clock: clock, logger: .quiet)
        #expect(spools.all.map(\.name) == ["default", "usb"])
        let frames = Frames(spools: spools.all, clock: clock)
        for (camera, spool) in [("door", "default"), ("yard", "usb")] {
            let stored = try await spools.spool(named: spool).store(still(camera), durability: .full, until: soon)
            #expect(stored.path?.hasPrefix("\(folder.path)/\(camera == "door" ? "main" : "usb")/\(camera)/") == true)
            #expect(try await frames.frame(stored.id).still.path == stored.path)
            #expect(try await frames.file(of: stored.id).whole == [0xFF, 0xD8, 0xFF, 0xD9])
        }
        #expect(await problem { try await frames.frame(FrameID(at: .now())) }?.code == .frameNotFound)
        await spools.close(until: soon)
    }

    @Test func `age rules of a camera apply in its former spool, limits do not`() throws {
        var configuration = configuration
        configuration.spool.retention = RetentionSettings(maxAge: .seconds(86_400))
        let rule = RetentionRule(keep: .seconds(365 * 86_400), filter: .is(.pinned(false)))
        let own = RetentionSettings(rules: [rule], maxAge: .seconds(7 * 86_400), maxFrames: 10, maxBytes: 1000)
        configuration.cameras[1].retention = own
        let present = try configuration.spools[0].configuration(of: configuration)
        #expect(present.cameraRetention["yard"] == own)
        let former = try configuration.spool.configuration(of: configuration)
        #expect(former.cameraRetention["yard"] == RetentionSettings(rules: [rule], maxAge: .seconds(7 * 86_400)))
    }

    @Test func `a camera has its own latest.jpg in its present spool only`() throws {
        var configuration = configuration
        configuration.cameras[1].latest = LatestSettings()
        let all = try configuration.spoolConfigurations()
        #expect(all.map(\.ownLatest) == [[], ["yard"]])
    }

    @Test func `an unavailable spool blocks no other and opens with its disk`() async throws {
        var configuration = configuration
        configuration.spools[0].folder = folder.path + "/missing/usb"
        let spools = try await Spools.open(configuration, clock: clock, logger: .quiet)
        #expect(spools.all.map(\.state.name) == [.available, .unavailable])
        _ = try await spools.spool(named: "default").store(still("door"), durability: .full, until: soon)
        let refused = await #expect(throws: Problem.self) {
            try await spools.spool(named: "usb").store(still("yard"), durability: .full, until: soon)
        }
        #expect(refused?.code == .spoolUnavailable)
        #expect(refused?.detail.contains("/missing/usb") == true)
        // A frame that the unavailable spool may have is not reported as not found.
        let frames = Frames(spools: spools.all, clock: clock)
        #expect(await problem { try await frames.frame(FrameID(at: .now())) }?.code == .spoolUnavailable)
        try FileManager.default.createDirectory(atPath: folder.path + "/missing", withIntermediateDirectories: true)
        let service = Task { await spools.run() }
        #expect(await clock.reaches(within: .seconds(600)) { spools.all[1].state == .available })
        service.cancel()
        await service.value
        _ = try await spools.spool(named: "usb").store(still("yard"), durability: .full, until: soon)
        await spools.close(until: soon)
    }

    @Test func `a full spool does not prevent the start`() {
        let full = Problem(.spoolFull, "It is full.", remedy: "Make room.")
        let gone = Problem(.spoolUnavailable, "It is gone.", remedy: "Mount it.")
        #expect([[full], [full, gone], [gone, full], [nil, gone], []].allSatisfy { Spools.fatal($0) == nil })
        #expect(Spools.fatal([gone, gone]) == gone)
    }

    @Test func `fails with the reason if no spool can be opened`() async throws {
        var configuration = configuration
        configuration.spool.folder = folder.path + "/none/main"
        configuration.spools[0].folder = folder.path + "/none/usb"
        for words in ["/none/main", "no-such-user"] {
            let problem = await problem { try await Spools.open(configuration, clock: clock, logger: .quiet) }
            #expect(problem?.detail.contains(words) == true)
            configuration.spool.owner = "no-such-user"
        }
    }
}
