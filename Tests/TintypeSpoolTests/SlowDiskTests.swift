// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeCapture
internal import TintypeDevice
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

    @Test func `a dead disk keeps no frame from its camera (slow-disk-blocks-DQBUF)`() async throws {
        let files = StuckFiles()
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        let pattern = try PatternSpec("YUYV:64x48@100")
        let session = CaptureSession(
            name: "door",
            configuration: SessionConfiguration(),
            encoding: EncodingThreads(count: 1),
            logger: quiet
        ) { (calls) throws(DeviceError) in try PatternDevice(pattern, name: "door", calls: calls) }
        let stills = StillOutput(session: session)
        files.block()
        // More stills than the camera has buffers, as the daemon stores them: none of them gets onto the disk.
        for _ in 0..<10 {
            let still = try await stills.take(StillRequest())
            let late = await #expect(throws: Problem.self) {
                try await spool.store(still, durability: .full, until: .now() + .milliseconds(20))
            }
            #expect(late?.code == .deadlineExceeded)
        }
        // The camera goes on: twenty frames more, each of them taken after the one before.
        var last: UInt32 = 0
        for _ in 0..<20 {
            let sequence = try await stills.take(StillRequest(fresh: .request)).record.sequence
            #expect(sequence > last)
            last = sequence
        }
        files.unblock()
        #expect(await session.end(within: .seconds(10)))
        await spool.close(until: soon)
    }
}
