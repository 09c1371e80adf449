// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Testing

@testable internal import tintype

struct FileEndingTests {
    private static let refused =
        ["a.png", "x/A.PNG", "%Y.webp", "a.jpg.zip", "film.mp4"].map {
            ("still -o \($0)", "“\($0)” is the name of another format")
        }
        + ["a.tar", "a.tar.gz", "a.TGZ", "a.tar.zst", "a.zip"].map {
            ("frames export --where all() -o \($0)", "“\($0)” is the name of an archive")
        }

    private static let taken =
        [
            "a.jpg", "a.JPEG", "a", "a.new", "x.png/a.jpg", ".png", "-", "/dev/stdout", "a.", "door-%H.%M", "a.mjpg",
        ].map { "still -o \($0)" } + ["a", "2026.11.21", "a.zip/"].map { "frames export --where all() -o \($0)" }

    @Test(arguments: refused)
    func `names with the suffix of another format or of an archive are refused`(_ line: String, _ words: String) async {
        let error = await #expect(throws: (any Error).self) { try await RootCommand.parsing(line) }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
        #expect(error.map { RootCommand.message(for: $0).contains(words) } == true)
    }

    @Test(arguments: taken) func `other names are accepted`(_ line: String) async throws {
        _ = try await RootCommand.parsing(line)
    }
}
