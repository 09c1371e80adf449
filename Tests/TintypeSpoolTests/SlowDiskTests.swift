// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct SlowDiskTests {
    @Test func `a dead disk holds a caller up until its deadline, and the store ends as a whole when it wakes`()
        async throws
    {
        let files = StuckFiles()
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        files.block()
        let begin = MonotonicTime.now()
        let late = await #expect(throws: Problem.self) {
            try await spool.store(still(), durability: .full, until: begin + .milliseconds(200))
        }
        #expect(late?.code == .deadlineExceeded)
        let queued = await #expect(throws: Problem.self) {
            try await spool.store(still(1), durability: .full, until: begin + .milliseconds(400))
        }
        #expect(queued?.code == .deadlineExceeded)
        await spool.close(until: begin + .milliseconds(600))
        #expect(MonotonicTime.now() - begin < .seconds(3))
        #expect(try folder.pictures().isEmpty)
        files.unblock()
        await spool.close(until: soon)
        // The one that had begun is there with its row; the one that had not is not.
        #expect(try folder.pictures() == ["door/2026/11/21/143012.345678Z-000001234.jpg"])
        #expect(try shellOutput("sqlite3", "\(folder.path)/catalog.sqlite", "SELECT count(*) FROM frame") == "1\n")
        #expect(try folder.names(in: ".incoming").isEmpty)
    }
}
