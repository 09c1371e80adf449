// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct OpeningTests {
    private func refusal(_ folder: String) async throws -> Problem {
        try #require(
            await #expect(throws: Problem.self) {
                try await Spool.open(Spool.Configuration(folder: folder), logger: quiet, until: soon)
            }
        )
    }

    @Test func `a spool in a folder whose parent is missing says so`() async throws {
        let folder = try SpoolFolder()
        let problem = try await refusal(folder.path + "/a/b")
        #expect(problem.code == .spoolUnavailable)
        #expect(problem.detail == "Cannot make the folder \(folder.path)/a/b: no such file or directory.")
        #expect(problem.remedy.contains("Make its parent folder"))
    }

    @Test(arguments: ["", "/.incoming", "/.lock", "/catalog.sqlite"])
    func `something in the way is named`(_ name: String) async throws {
        let folder = try SpoolFolder()
        let path = folder.path + name
        if !name.isEmpty {
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        }
        // A folder where a file must be, and a file where a folder must be.
        if ["/.lock", "/catalog.sqlite"].contains(name) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } else {
            try Data([1]).write(to: URL(fileURLWithPath: path))
        }
        let problem = try await refusal(folder.path)
        #expect(problem.code == .spoolUnavailable)
        #expect(problem.detail.contains(path))
        #expect(!problem.remedy.isEmpty)
    }

    @Test func `a camera's folder that is a link out of the spool is refused`() async throws {
        let (folder, other) = (try SpoolFolder(), try SpoolFolder())
        let spool = try await folder.open()
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/door", withDestinationPath: other.path)
        let problem = await #expect(throws: Problem.self) {
            try await spool.store(still(), durability: .none, until: soon)
        }
        #expect(problem?.code == .spoolUnavailable)
        #expect(try other.names(in: "").isEmpty)
        #expect(try folder.names(in: ".incoming").isEmpty)
    }

    @Test func `a second daemon on one spool is refused`() async throws {
        let folder = try SpoolFolder()
        let spool = try await folder.open()
        let problem = try await refusal(folder.path)
        #expect(problem.code == .spoolUnavailable)
        #expect(problem.detail.contains("in use by another tintyped"))
        await spool.close(until: soon)
        _ = try await folder.open()
    }

    @Test func `thumbnails that an earlier version kept are removed`() async throws {
        let folder = try SpoolFolder()
        try folder.write([1], to: ".thumbnails/a-320.jpg")
        let spool = try await folder.open()
        #expect(try !folder.names(in: "").contains(".thumbnails"))
        await spool.close(until: soon)
    }

    @Test(arguments: [(EACCES, "permission denied"), (EROFS, "read-only file system"), (ENOSPC, "no space left")])
    func `a folder that cannot be written is refused at the start`(_ code: Int32, _ text: String) async throws {
        let folder = try SpoolFolder()
        let probe = FaultyFiles()
        await (try await folder.open(probe)).close(until: soon)
        let index = try #require(probe.calls.firstIndex(of: "create"))
        let files = FaultyFiles()
        files.arm(.error(code), at: index)
        let problem = try #require(await #expect(throws: Problem.self) { try await folder.open(files) })
        #expect(problem.code == (code == ENOSPC ? .spoolFull : .spoolUnavailable))
        #expect(problem.detail.contains(text))
        #expect(problem.detail.contains(folder.path))
        _ = try await folder.open()
    }
}
