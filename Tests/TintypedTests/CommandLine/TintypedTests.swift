// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Testing
import TintypeDevice
import TintypeModel

@testable import tintyped

struct TintypedTests {
    private let folder = TemporaryFolder()

    private func message(_ arguments: [String]) throws -> (text: String, status: Int32) {
        let error = try #require(throws: (any Error).self) { try Tintyped.parse(arguments) }
        return (Tintyped.fullMessage(for: error), Tintyped.exitCode(for: error).rawValue)
    }

    /// Output and errors of the daemon with these arguments and `--check`; expects this exit status.
    private static func checked(_ arguments: [String], _ status: Int32) async -> (output: String, errors: String) {
        let result = await #expect(
            processExitsWith: .exitCode(status),
            observing: [\.standardOutputContent, \.standardErrorContent]
        ) { [arguments = arguments as [String]] in
            await Tintyped.main(arguments + ["--check"])
        }
        let contents = [result?.standardOutputContent ?? [], result?.standardErrorContent ?? []]
        return (String(decoding: contents[0], as: UTF8.self), String(decoding: contents[1], as: UTF8.self))
    }

    @Test func `reads every flag`() throws {
        let file = try folder.write("cameras: {front: {device: /dev/video0}}\n", to: "f.yaml")
        let command = try Tintyped.parse([
            "--config", file, "--socket", "/a.sock", "--spool", "/spool", "--pattern", "GREY:64x48@5", "--pattern",
            "MJPG", "--log-level", "debug", "--check",
        ])
        let settings = try command.flags.settings()
        #expect(settings.cameraSummary == "front, pattern, pattern-2")
        #expect(settings.patterns[0].source == .pattern(try PatternSpec("GREY:64x48@5")))
        #expect(settings.configuration.socket.path == "/a.sock")
        #expect(settings.configuration.spool.folder == "/spool")
        #expect(command.logLevel == .debug)
        #expect(command.check)
    }

    @Test(arguments: [
        (["--pattern", "XXXX"], "“XXXX” is no format of the test pattern. Use one of: YUYV, NV12, GREY, MJPG, "),
        (["--pattern", "MJPEG"], "Did you mean MJPG?"), (["--log-level", "loud"], "loud"),
        (["--socket", ""], "--socket is empty."), (["--device", ""], "--device is empty."),
        (["--private", "--config", "a"], "--config cannot be combined with --private."),
        (["--private", "--spool", "a"], "--spool cannot be combined with --private."),
        (["--demo", "--config", "a"], "--config cannot be combined with --demo. Leave one out."),
        (["--demo", "--spool", "a"], "--spool cannot be combined with --demo."),
        (["--demo", "--device", "/dev/video0"], "--device cannot be combined with --demo."),
        (["--demo", "--pattern", "YUYV"], "--pattern cannot be combined with --demo."),
        (["--demo", "--check"], "--check cannot be combined with --demo."),
        (["--demo", "--private"], "--private cannot be combined with --demo."),
        (["--frobnicate"], "--frobnicate"), (["front"], "front"),
    ])
    func `rejects a wrong command line with the reason and status 64`(_ arguments: [String], _ says: String) throws {
        let (text, status) = try message(arguments)
        #expect(text.contains(says), "\(text)")
        #expect(status == 64)
    }

    @Test func `--version prints the version of the source`() throws {
        let (text, status) = try message(["--version"])
        #expect(text == "tintyped \(TintypeVersion.current)")
        #expect(status == 0)
    }

    @Test func `--check reports every fault of a file with status 78`() async throws {
        let file = try folder.write("a: 1\nb: 2\n", to: "f.yaml")
        let text = await Self.checked(["--config", file], 78).errors
        #expect(text.contains("f.yaml:1:1: a: There is no such key."), "\(text)")
        #expect(text.contains("f.yaml:2:1: b: There is no such key."), "\(text)")
    }

    @Test func `--check accepts a misspelled control with a warning`() async throws {
        let text = "cameras: {front: {device: /none, controls: {contrast: 1, brigthness: 5}}}\n"
        let file = try folder.write(text, to: "f.yaml")
        let (said, warning) = await Self.checked(["--config", file], 0)
        #expect(warning.contains("warning: \(file):1:"), "\(warning)")
        #expect(warning.contains("cameras.front.controls.brigthness") && warning.contains("Did you mean brightness?"))
        #expect(!warning.contains("contrast:"))
        #expect(said.contains("The configuration \(file) is good."))
    }

    @Test func `--check warns of an absent camera that publishes without retention`() async throws {
        let text = "cameras:\n  front:\n    device: /none\n    publish: {every: 60s}\n"
        let file = try folder.write(text, to: "f.yaml")
        let (said, warnings) = await Self.checked(["--config", file], 0)
        let expected = [
            "warning: \(file):3:5: cameras.front.device: There is no camera at /none. Plug the camera in; it is opened "
                + "automatically then.",
            "warning: \(file):4:5: cameras.front.publish: No retention limits these pictures: they fill the disk. Give "
                + "the camera or its spool a limit, such as retention: {maxAge: 30d}.",
        ]
        let lines = warnings.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
        #expect(lines.map(String.init) == expected, "\(warnings)")
        #expect(said.contains("The configuration \(file) is good."))
    }

    @Test(.enabled(if: !hasConfiguration, "this machine has a configuration"))
    func `--check without a file names the default path`() async {
        let said = await Self.checked([], 0).output
        #expect(said.contains("There is no /etc/tintype/tintyped.yaml: the defaults are used."), "\(said)")
    }

    private static let hasConfiguration = FileManager.default.fileExists(atPath: DaemonConfiguration.defaultFile)
}
