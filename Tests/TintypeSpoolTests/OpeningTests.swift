// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct OpeningTests {
    private let folder = SpoolFolder()

    @Test func `reports a missing parent folder`() async throws {
        let missing = SpoolStore.Configuration(folder: folder.path + "/a/b")
        let problem = try #require(await problem { try await SpoolStore.open(missing) })
        #expect(problem.code == .spoolUnavailable)
        #expect(problem.detail == "Cannot make the folder \(folder.path)/a/b: no such file or directory.")
        #expect(problem.remedy.contains("Make its parent folder"))
    }

    @Test(arguments: ["", "/.incoming", "/.lock", "/catalog.sqlite"])
    func `names the path that prevents opening`(_ name: String) async throws {
        let path = folder.path + name
        if !name.isEmpty { try folder.makeFolder() }
        // A folder in place of a file, and a file in place of a folder.
        if ["/.lock", "/catalog.sqlite"].contains(name) {
            try folder.makeFolder(name)
        } else {
            try Data([1]).write(to: URL(fileURLWithPath: path))
        }
        let problem = try #require(await problem { try await SpoolStore.open(folder.configuration) })
        #expect(problem.code == .spoolUnavailable)
        #expect(problem.detail.contains(path))
        #expect(!problem.remedy.isEmpty)
    }

    @Test(arguments: ["create", "write", "flush"], [ENOSPC, EDQUOT])
    func `opens on a full disk`(_ verb: String, _ code: Int32) async throws {
        try await folder.filled(0..<1)
        let files = FaultyFiles()
        files.before { $0.verb == verb && $0.path.hasSuffix("/.incoming/probe") ? code : nil }
        let spool = try await SpoolStore.open(folder.configuration, files: files)
        #expect(spool.state.name == .full)
        #expect(try await spool.picture(of: folder.ids()[0], until: soon) == picture)
        try await spool.fill(1..<2)
        #expect(spool.state == .available)
        await spool.close(until: soon)
    }

    @Test(arguments: ["", ".lock", "catalog.sqlite-wal"])
    func `refuses a second daemon even if a file was removed`(_ removed: String) async throws {
        let spool = try await folder.open()
        if !removed.isEmpty { try folder.remove(removed) }
        let problem = await #expect(throws: Problem.self) { try await folder.open() }
        #expect(problem?.code == .spoolUnavailable)
        #expect(problem?.detail.contains("in use by another tintyped") == true)
        // The command in the remedy.
        let command = problem?.remedy.firstMatch(of: /lsof \S+/).map { String($0.output) } ?? ""
        let words = command.split(separator: " ").map(String.init)
        try #require(words.count == 2)
        #expect(try shellOutput(words[0], "-t", words[1]).contains("\(getpid())"))
        await spool.close(until: soon)
        try await folder.restart()
    }

    @Test func `locks the lock file if folders cannot be locked`() async throws {
        // As on NFS, which locks only files open for writing.
        let files = FaultyFiles()
        files.before { $0.verb == "lock" && !$0.path.hasSuffix("/.lock") ? EBADF : nil }
        let spool = try await folder.open(files: files)
        #expect(await problem { try await folder.open(files: files) }?.detail.contains(".lock") == true)
        await spool.close(until: soon)
    }
}
