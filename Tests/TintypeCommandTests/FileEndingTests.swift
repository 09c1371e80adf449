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

    @Test(arguments: ["a.tar", "a.tar.gz", "a.TGZ", "a.tar.zst", "a.zip"])
    func `an export is not written under the name of an archive`(_ name: String) async {
        let error = await #expect(throws: (any Error).self) {
            try await RootCommand.asyncParseAsRoot(["frames", "export", "--where", "all()", "-o", name])
        }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
        #expect(error.map { RootCommand.message(for: $0).contains("“\(name)” is the name of an archive") } == true)
    }

    @Test(arguments: ["a", "2026.11.21", "a.zip/"])
    func `any other name is a folder`(_ name: String) async throws {
        _ = try await RootCommand.asyncParseAsRoot(["frames", "export", "--where", "all()", "-o", name])
    }
}
