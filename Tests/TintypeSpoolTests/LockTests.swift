// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// What keeps a second daemon from a spool.
@Suite struct LockTests {
    @Test(arguments: ["", ".lock", "catalog.sqlite-wal"])
    func `a second daemon is refused, whichever file was removed, and lsof names the first`(
        _ removed: String
    ) async throws {
        let (folder, spool) = try await SpoolFolder.opened()
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
        let again = try await folder.open()
        await again.close(until: soon)
    }

    @Test func `where folders cannot be locked, the file is`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(FoldersUnlocked())
        let problem = await #expect(throws: Problem.self) { try await folder.open(FoldersUnlocked()) }
        #expect(problem?.detail.contains(".lock") == true)
        await spool.close(until: soon)
    }

    /// As NFS: it locks files that are open for writing.
    private final class FoldersUnlocked: FileLayer {
        let files = SystemFiles()

        func lockFolder(_ path: String) throws(FileError) -> OpenFile? { throw FileError("lock", path, code: EBADF) }
    }
}
