// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import TestSupport
import Testing
import TintypeModel
import TintypePattern
import TintypeThreads

@testable import TintypeCapture
@testable import tintyped

struct CalibrationsTests {
    private func calibration(_ camera: String) -> Calibration {
        Calibration(
            camera: camera,
            card: "Webcam",
            format: CaptureFormat(
                pixelFormat: .mjpeg,
                size: FrameSize(width: 1280, height: 720),
                interval: FrameInterval(framesPerSecond: 30)
            ),
            timestampSource: .arrival,
            lead: .microseconds(62_300),
            spread: .microseconds(1200),
            flashes: 40,
            seen: 39,
            exposure: .milliseconds(20),
            readout: .milliseconds(15),
            measuredAt: Timestamp(microseconds: 1_764_000_000_000_000)
        )
    }

    @Test func `a calibration is there after it was saved, also for the next daemon, until it is removed`() async throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/state"
        let first = Calibrations(in: StateFolder(path))
        await first.load(logger: .quiet)
        #expect(first["front"] == nil)
        try await first.save(calibration("front"))
        #expect(first["front"] == calibration("front"))
        let next = Calibrations(in: StateFolder(path))
        await next.load(logger: .quiet)
        #expect(next["front"] == calibration("front"))
        #expect(next["back"] == nil)
        try await next.remove("front")
        #expect(next["front"] == nil)
        let problem = await #expect(throws: Problem.self) { try await next.remove("front") }
        #expect(problem?.code == .notFound)
        let last = Calibrations(in: StateFolder(path))
        await last.load(logger: .quiet)
        #expect(last["front"] == nil)
    }

    @Test func `a file that is no calibration of its camera hides no other`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let saved = Calibrations(in: StateFolder(folder.path))
        try await saved.save(calibration("front"))
        let files = URL(filePath: folder.path + "/calibrations")
        try Data("{}".utf8).write(to: files.appending(path: "back.json"))
        try FileManager.default.copyItem(
            at: files.appending(path: "front.json"),
            to: files.appending(path: "side.json")
        )
        try FileManager.default.createDirectory(
            at: files.appending(path: "folder.json"),
            withIntermediateDirectories: false
        )
        var impossible = calibration("yard")
        impossible.leadMs = Milliseconds(.seconds(-500))
        try await saved.save(impossible)
        let next = Calibrations(in: StateFolder(folder.path))
        await next.load(logger: .quiet)
        #expect(next["front"] == calibration("front"))
        #expect(next["back"] == nil && next["side"] == nil && next["yard"] == nil)
        // What cannot be used can be forgotten all the same.
        try await next.remove("back")
        #expect(!FileManager.default.fileExists(atPath: files.appending(path: "back.json").path))
    }

    @Test func `a change of the configuration undoes no calibration that came just before it`() async throws {
        let settings = try DaemonSettings(
            file: nil,
            socket: nil,
            spool: nil,
            patterns: [PatternSpec("GREY:64x48@50")],
            workingFolder: "/"
        )
        let cameras = Cameras(settings: settings, spools: Spools([]), logger: .quiet)
        let camera = try await cameras.find("pattern")
        let inbox = camera.session.context.inbox
        let (begun, held) = (AsyncStream.makeStream(of: Never.self), AsyncStream.makeStream(of: Never.self))
        // The session is busy while both are asked for.
        inbox.post("wait", for: Reply<Bool>(clock: .system)) { _ in
            begun.continuation.finish()
            for await _ in held.stream {}
        }
        for await _ in begun.stream {}
        let measured = calibration("pattern")
        async let calibrated: Void = camera.use(measured)
        try await eventually("the calibration waits") { inbox.commandCount == 1 }
        async let changed = cameras.configure(CameraSettings(warmth: .cold), ifRevision: nil, of: "pattern")
        try await eventually("the change waits") { inbox.commandCount == 2 }
        held.continuation.finish()
        try await calibrated
        #expect(try await changed.revision == 3)
        let configuration = camera.session.hub.snapshot.configuration
        #expect(configuration.lead == .calibrated(measured) && configuration.warmth == .cold)
        #expect(await camera.session.end(within: .patience))
    }
}
