// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct OpeningTests {
    private let folder = SpoolFolder()

    @Test func `a spool in a folder whose parent is missing says so`() async throws {
        let missing = Spool.Configuration(folder: folder.path + "/a/b")
        let problem = try #require(await problem { try await Spool.open(missing) })
        #expect(problem.code == .spoolUnavailable)
        #expect(problem.detail == "Cannot make the folder \(folder.path)/a/b: no such file or directory.")
        #expect(problem.remedy.contains("Make its parent folder"))
    }

    @Test(arguments: ["", "/.incoming", "/.lock", "/catalog.sqlite"])
    func `something in the way is named`(_ name: String) async throws {
        let path = folder.path + name
        if !name.isEmpty { try folder.makeFolder() }
        // A folder where a file must be, and a file where a folder must be.
        if ["/.lock", "/catalog.sqlite"].contains(name) {
            try folder.makeFolder(name)
        } else {
            try Data([1]).write(to: URL(fileURLWithPath: path))
        }
        let problem = try #require(await problem { try await Spool.open(folder.configuration) })
        #expect(problem.code == .spoolUnavailable)
        #expect(problem.detail.contains(path))
        #expect(!problem.remedy.isEmpty)
    }

    @Test func `thumbnails that an earlier version kept are removed`() async throws {
        try folder.write([1], to: ".thumbnails/a-320.jpg")
        _ = try await folder.open()
        #expect(try !folder.names(in: "").contains(".thumbnails"))
    }

    @Test(arguments: ["", ".lock", "catalog.sqlite-wal"])
    func `a second daemon is refused, whichever file was removed, and lsof names the first`(
        _ removed: String
    ) async throws {
        let spool = try await folder.open()
        if !removed.isEmpty { try folder.remove(removed) }
        let problem = await #expect(throws: Problem.self) { try await folder.open() }
        #expect(problem?.code == .spoolUnavailable)
        #expect(problem?.detail.contains("in use by another tintyped") == true)
        // The command that the remedy names.
        let command = problem?.remedy.firstMatch(of: /lsof \S+/).map { String($0.output) } ?? ""
        let words = command.split(separator: " ").map(String.init)
        try #require(words.count == 2)
        #expect(try shellOutput(words[0], "-t", words[1]).contains("\(getpid())"))
        await spool.close(until: soon)
        try await folder.restart()
    }

    @Test func `where folders cannot be locked, the file is`() async throws {
        // As NFS: it locks files that are open for writing.
        let files = FaultyFiles()
        files.before { $0.verb == "lock" && !$0.path.hasSuffix("/.lock") ? EBADF : nil }
        let spool = try await folder.open(files: files)
        #expect(await problem { try await folder.open(files: files) }?.detail.contains(".lock") == true)
        await spool.close(until: soon)
    }
}
