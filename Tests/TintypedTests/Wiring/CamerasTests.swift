// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import TintypeModel
import TintypeSpool
import TintypeSystem

@testable import TintypeCapture
@testable import TintypeDevice
@testable import tintyped

struct CamerasTests {
    /// Settings with these patterns as cameras.
    private func settings(_ specs: [String], warmth: Warmth, discovers: Bool) throws -> DaemonSettings {
        let patterns = try specs.map { try PatternSpec($0) }
        var settings = try DaemonSettings(nil, DaemonFlags(patterns: patterns, workingFolder: "/"))
        for index in specs.indices { settings.patterns[index].session.warmth = warmth }
        settings.discovers = discovers
        return settings
    }

    @Test func `a reload that ends discovery adopts no further node`() async throws {
        let before = try settings(["GREY:64x48@50,hang-at=open"], warmth: .hot, discovers: true)
        let after = try settings([], warmth: .hot, discovers: false)
        let cameras = Cameras(settings: before, spools: Spools(all: []), clock: .system, logger: .quiet)
        let hanging = try await cameras.find("pattern").session
        try await eventually("it hangs") { hanging.context.calls.stuck(longerThan: .zero) != nil }
        async let report = cameras.apply(after)
        // The stop waits briefly for a hanging camera.
        try await eventually("it is ended") { hanging.dispatcher.state.withLock { $0.subscribers.closing != nil } }
        let identity = CameraIdentity(path: "/dev/video90", card: "", driver: "", busInfo: "")
        cameras.adopt([CameraDiscovery.Finding(identity: identity, authorization: .authorized)])
        #expect(!cameras.all.contains { $0.name == "video90" })
        #expect(await report.removed == ["pattern"])
        #expect(cameras.all.isEmpty)
    }

    @Test func `a test pattern of the configuration is a camera like any other`() async throws {
        let text = """
            cameras:
              demo:
                pattern: YUYV:640x480@50,also=YUYV:320x240@50
                size: 320x240
                warmth: cold
                ring: {seconds: 2}
                controls: {brightness: 99}
            """
        let configuration = try ConfigurationReader.read(text, file: "f")
        let settings = try DaemonSettings(configuration, DaemonFlags(workingFolder: "/"))
        #expect(!settings.discovers)
        let cameras = Cameras(settings: settings, spools: Spools(all: []), clock: .system, logger: .quiet)
        let list = await cameras.list().cameras
        #expect(list.map(\.name) == ["demo"] && list[0].authorization == .authorized && list[0].state == .off)
        #expect(list[0].identity == PatternDevice.identity(named: "demo"))
        #expect(Health(version: "1", cameras: list, spools: []).status == .ok)
        let request = StillRequest(deadline: .patience, settle: .never, keep: false)
        let record = try await cameras.still(request, of: "demo").record
        #expect((record.camera, record.width, record.height) == ("demo", 320, 240))
        let status = try await cameras.camera("demo")
        #expect(status.counters.stills == 1 && status.controls?.unfulfilled.isEmpty == true && status.ring != nil)
        for camera in cameras.all { _ = await camera.session.end(within: .patience) }
    }

    @Test func `a discovered camera takes triggers`() async throws {
        let settings = try settings([], warmth: .cold, discovers: true)
        let cameras = Cameras(settings: settings, spools: Spools(all: []), clock: .system, logger: .quiet)
        let identity = CameraIdentity(path: "/dev/video90", card: "", driver: "", busInfo: "")
        for _ in 1...2 { cameras.adopt([CameraDiscovery.Finding(identity: identity, authorization: .authorized)]) }
        cameras.published.continuation.finish()
        var served: [String] = []
        for await camera in cameras.published.stream { served.append(camera.name) }
        #expect(served == ["video90"])
        for camera in cameras.all { _ = await camera.session.end(within: .patience) }
    }

    @Test(arguments: [false, true])
    func `a trigger or clip without a usable spool is refused and opens no camera`(hasSpool: Bool) async throws {
        let settings = try settings(["GREY:64x48@50"], warmth: .cold, discovers: false)
        let folder = SpoolStore.Configuration(folder: "/proc/nowhere")
        let broken = await SpoolStore.openOrWait(folder, logger: .quiet, clock: .system, until: soon).spool
        let spools = Spools(all: hasSpool ? [broken] : [])
        let cameras = Cameras(settings: settings, spools: spools, clock: .system, logger: .quiet)
        let problem = await #expect(throws: Problem.self) {
            _ = try await cameras.trigger(TriggerRequest(), of: "pattern")
        }
        #expect(problem?.code == .spoolUnavailable)
        let clip = await #expect(throws: Problem.self) { _ = try await cameras.record(ClipRequest(), of: "pattern") }
        #expect(clip?.code == .spoolUnavailable)
        #expect(try await cameras.camera("pattern").counters.opened == 0)
        for camera in cameras.all { _ = await camera.session.end(within: .patience) }
        await broken.close(until: soon)
    }

    @Test func `an examination takes a place, or is refused`() async throws {
        let room = RequestLimiter(for: "examine a camera", places: 1)
        let settings = try settings(["GREY:64x48@50"], warmth: .cold, discovers: false)
        let cameras = Cameras(
            settings: settings,
            spools: Spools(all: []),
            clock: .system,
            examinations: room,
            logger: .quiet
        )
        let place = try room.enter()
        let problem = await #expect(throws: Problem.self) {
            _ = try await cameras.examine(ExaminationRequest(), of: "pattern")
        }
        #expect(problem?.code == .tooManyRequests)
        withExtendedLifetime(place) {}
    }

    @Test func `a still whose reply is refused is not stored`() async throws {
        let settings = try settings(["GREY:64x48@50"], warmth: .cold, discovers: false)
        // Storing would fail for want of a spool.
        let cameras = Cameras(settings: settings, spools: Spools(all: []), clock: .system, logger: .quiet)
        let full = Problem(.tooManyRequests, "The replies are not read.", remedy: "Read them.")
        let request = StillRequest(deadline: .patience, settle: .never)
        let problem = await #expect(throws: Problem.self) {
            _ = try await cameras.still(request, of: "pattern") { (_) throws(Problem) in throw full }
        }
        #expect(problem == full)
        for camera in cameras.all { _ = await camera.session.end(within: .patience) }
    }

    @Test func `a late device scan leaves the status of the previous one`() async throws {
        let folder = TemporaryFolder()
        let device = try folder.write("", to: "device")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/door", withDestinationPath: device)
        var settings = try settings([], warmth: .cold, discovers: false)
        settings.configuration.cameras = ["door", "yard"]
            .map { name in CameraConfiguration(name: name, source: .node(path: "\(folder.path)/\(name)")) }
        let cameras = Cameras(settings: settings, spools: Spools(all: []), clock: .system, logger: .quiet)
        let (first, second) = (Gate(), Gate())
        cameras.scanner.thread.submit { _ in first.wait() }
        // Absence of one of them is not known yet.
        #expect(await cameras.cameras().map(\.authorization) == [.authorized, .authorized])
        first.open()
        try await eventually("both were looked for") {
            await cameras.cameras().map(\.authorization) == [.authorized, .absent]
        }
        // Scan for this camera alone.
        _ = try await cameras.camera("yard")
        cameras.scanner.thread.submit { _ in second.wait() }
        let late = await cameras.cameras()
        #expect(late.map(\.authorization) == [.authorized, .absent])
        #expect(late.first?.identity?.path.hasSuffix("/device") == true)
        second.open()
        for camera in cameras.all { _ = await camera.session.end(within: .patience) }
    }

    @Test(arguments: [nil, Burst.count(2, every: .zero)])
    func `counts failed stills in the camera's status`(_ burst: Burst?) async throws {
        let settings = try settings(["YUYV:64x48@50,busy"], warmth: .standard, discovers: false)
        let cameras = Cameras(settings: settings, spools: Spools(all: []), clock: .system, logger: .quiet)
        #expect(try await cameras.camera("pattern").failing == nil)
        let request = StillRequest(deadline: .patience, burst: burst, keep: false)
        for count in 1...3 {
            let problem = await #expect(throws: Problem.self) {
                if burst == nil {
                    _ = try await cameras.still(request, of: "pattern")
                } else {
                    _ = try await cameras.stills(request, of: "pattern", onStill: { _ in })
                }
            }
            #expect(problem?.code == .cameraBusy)
            #expect(try await cameras.camera("pattern").failing?.count == count)
        }
        for camera in cameras.all { _ = await camera.session.end(within: .patience) }
    }
}
