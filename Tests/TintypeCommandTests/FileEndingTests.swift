// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Testing

@testable internal import tintype

struct FileEndingTests {
    @Test(arguments: ["a.png", "x/A.PNG", "%Y.webp", "a.jpg.zip", "film.mp4"])
    func `a picture is not written under the name of another kind of file`(_ name: String) async {
        let error = await #expect(throws: (any Error).self) {
            try await RootCommand.asyncParseAsRoot(["still", "-o", name])
        }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
        #expect(error.map { RootCommand.message(for: $0).contains("“\(name)” is the name of another format") } == true)
    }

    @Test(arguments: [
        "a.jpg", "a.JPEG", "a", "a.new", "x.png/a.jpg", ".png", "-", "/dev/stdout", "a.", "door-%H.%M", "a.mjpg",
    ])
    func `any other name is taken for a picture`(_ name: String) async throws {
        _ = try await RootCommand.asyncParseAsRoot(["still", "-o", name])
    }

    @Test(arguments: [
        ("a.tar.gz", "-o - | gzip > a.tar.gz"), ("a.TGZ", "| gzip >"), ("a.tar.zst", "| zstd >"),
        ("a.zip", "ends with .tar"),
    ])
    func `an export is not written under the name of another kind of archive`(
        _ name: String,
        _ remedy: String
    ) async {
        let error = await #expect(throws: (any Error).self) {
            try await RootCommand.asyncParseAsRoot(["frames", "export", "--where", "all()", "-o", name])
        }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
        #expect(error.map { RootCommand.message(for: $0).contains(remedy) } == true)
    }

    @Test(arguments: [
        ("a.tar", ExportDestination.archive("a.tar")), ("A.TAR", .archive("A.TAR")), ("a", .folder("a")),
        ("2026.11.21", .folder("2026.11.21")), ("-", .standardOutput), ("a.zip/", .folder("a.zip/")),
    ])
    func `any other name is a folder, an archive or stdout`(_ name: String, _ target: ExportDestination) async throws {
        let line = ["frames", "export", "--where", "all()", "-o", name]
        let command = try #require(try await RootCommand.asyncParseAsRoot(line) as? FramesExportCommand)
        #expect(ExportDestination(command.output) == target)
    }
}
