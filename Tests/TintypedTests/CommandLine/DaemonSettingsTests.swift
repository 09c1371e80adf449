// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeModel

@testable import tintyped

struct DaemonSettingsTests {
    private func settings(
        _ file: DaemonConfiguration?,
        _ change: (inout DaemonFlags) -> Void = { _ in }
    ) throws -> DaemonSettings {
        var flags = DaemonFlags(workingFolder: "/home/u")
        change(&flags)
        return try DaemonSettings(file, flags)
    }

    private static func camera(_ name: String = "front", at path: String = "/dev/video0") -> CameraConfiguration {
        CameraConfiguration(name: name, source: .node(path: path))
    }

    @Test func `discovers cameras without a configuration`() throws {
        let settings = try settings(nil)
        #expect(settings.discovers)
        #expect(settings.configuration == DaemonConfiguration())
        #expect(settings.cameraSummary == "every camera that is found")
    }

    @Test func `configured cameras disable discovery`() throws {
        #expect(try !settings(DaemonConfiguration(cameras: [Self.camera()])).discovers)
        #expect(try settings(DaemonConfiguration()).discovers)
    }

    @Test func `patterns without a file are the cameras pattern, pattern-2, pattern-3`() throws {
        let grey = try PatternSpec("GREY:64x48")
        let settings = try settings(nil) { $0.patterns = [PatternSpec(), grey, PatternSpec()] }
        #expect(settings.patterns.map(\.name) == ["pattern", "pattern-2", "pattern-3"])
        #expect(settings.patterns[1].source == .pattern(grey))
        #expect(!settings.discovers)
        #expect(settings.cameraSummary == "pattern, pattern-2, pattern-3")
    }

    @Test func `--device adds a camera named camera`() throws {
        let alone = try settings(nil) { $0.device = "by-id/cam" }
        #expect(alone.configuration.cameras == [Self.camera("camera", at: "/home/u/by-id/cam")])
        #expect(!alone.discovers)
        let file = DaemonConfiguration(cameras: [Self.camera()])
        #expect(try settings(file) { $0.device = "/dev/video2" }.cameraSummary == "front, camera")
        let taken = DaemonConfiguration(cameras: [Self.camera("camera")])
        #expect(throws: Problem.self) { try settings(taken) { $0.device = "/dev/video2" } }
    }

    @Test func `patterns are added to the cameras of the file`() throws {
        #expect(try settings(DaemonConfiguration()) { $0.patterns = [PatternSpec()] }.discovers)
        let both = try settings(DaemonConfiguration(cameras: [Self.camera()])) { $0.patterns = [PatternSpec()] }
        #expect(both.cameraSummary == "front, pattern")
    }

    @Test func `a camera list too long for systemd is summarized as a count`() throws {
        let cameras = (1...400).map { Self.camera("camera-\($0)", at: "/dev/video\($0)") }
        #expect(try settings(DaemonConfiguration(cameras: cameras)).cameraSummary == "400 cameras")
    }

    @Test func `rejects a camera with the name of a pattern`() throws {
        let file = DaemonConfiguration(cameras: [Self.camera("pattern-2")])
        #expect(throws: Problem.self) { try settings(file) { $0.patterns = [PatternSpec(), PatternSpec()] } }
        #expect(try settings(file) { $0.patterns = [PatternSpec()] }.patterns.count == 1)
    }

    @Test func `paths in flags override those of the file`() throws {
        var file = DaemonConfiguration()
        file.socket.path = "/file.sock"
        file.spool.folder = "/file"
        #expect(try settings(file).configuration == file)
        let absolute = try settings(file) { ($0.socket, $0.spool) = ("/flag.sock", "/flag") }.configuration
        #expect(absolute.socket.path == "/flag.sock")
        #expect(absolute.spool.folder == "/flag")
        let relative = try settings(file) { ($0.socket, $0.spool) = ("a.sock", "spool") }.configuration
        #expect(relative.socket.path == "/home/u/a.sock")
        #expect(relative.spool.folder == "/home/u/spool")
        file.stateFolder = "/file/state"
        #expect(try settings(file).configuration.stateFolder == "/file/state")
        #expect(try settings(file) { $0.state = "/flag" }.configuration.stateFolder == "/flag")
        #expect(try settings(file) { $0.state = "kept" }.configuration.stateFolder == "/home/u/kept")
    }

    @Test(arguments: [1, 30]) func `the times of a stop follow its limit`(factor: Int) throws {
        let settings = try DaemonSettings(nil, DaemonFlags(stopLimit: ExitGuard.limit * factor, workingFolder: "/"))
        let times = [settings.replyLimit, settings.serviceLimit, settings.closeLimit]
        #expect(times == [100, 500, 300].map { .milliseconds($0 * factor) })
    }
}
