// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

struct DeadDiskTests {
    private let folder = SpoolFolder()
    private let files = FaultyFiles()

    @Test func `a dead disk does not block capture (slow-disk-blocks-DQBUF)`() async throws {
        let clock = TestClock()
        let spool = try await folder.open(files: files, clock: clock)
        let pattern = try PatternSpec("YUYV:64x48@100")
        let session = CaptureSession(
            name: "door",
            configuration: SessionConfiguration(),
            encoding: EncodingThreads(count: 1, clock: clock),
            logger: .quiet,
            clock: clock
        ) { (calls) throws(DeviceError) in try PatternDevice(pattern, name: "door", calls: calls) }
        let stills = StillOutput(session: session)
        files.block()
        // More stills than the camera has buffers, stored as by the daemon: none reaches the disk.
        for _ in 0..<10 {
            let still = try await stills.take(StillRequest(deadline: .patience))
            let late = try await spool.refusal(of: still, until: clock.now + .milliseconds(20))
            #expect(late.code == .deadlineExceeded)
        }
        // Capture continues: each of twenty frames is newer than the previous one.
        var last: UInt32 = 0
        for _ in 0..<20 {
            let sequence = try await stills.take(StillRequest(fresh: .request, deadline: .patience)).record.sequence
            #expect(sequence > last)
            last = sequence
        }
        files.mend()
        #expect(await session.end(within: .patience))
        await spool.close(until: soon)
    }

    @Test func `each caller that closes a spool learns when its last still has left`() throws {
        let configuration = SpoolStore.Configuration(folder: folder.path)
        let storage = StorageThread(configuration, files: files, clock: .system, logger: .quiet) { _ in }
        let queue = WriteQueue(storage) { _ in }
        _ = try queue.enter(still(), .none, .request)
        let replies = [queue.close(), queue.close()]
        queue.leave()
        #expect(replies.map { $0?.isAwaited } == [false, false])
    }

    @Test func `the watchdog excuses writing threads blocked on a dead disk`() async throws {
        let spool = try await folder.open(files: files)
        let writers = try #require(spool.heartbeats.first { $0.name.contains("writing threads") })
        let answer = OnceFlag()
        files.block()
        try await spool.fillAtOnce(0..<8) {
            try await eventually("each thread that writes waits for the disk") { files.waiting == 8 }
            writers.ask { answer.raise() }
            // Stays excused at repeated checks, not only right after work was taken.
            for _ in 0..<2 { #expect(writers.isExcused() && !answer.isRaised) }
            files.mend()
        }
        try await eventually("they answer") { answer.isRaised }
        try await eventually("they are excused no more") { !writers.isExcused() }
        await spool.close(until: soon)
    }

    @Test func `the watchdog excuses a catalog statement blocked on a dead disk`() async throws {
        let (gate, began) = (Gate(), OnceFlag())
        let thread = WorkerThreads<Void>(name: "tt-catalog", count: 1) {}
        let heartbeat = thread.heartbeat("the catalog")
        thread.submit { _ in
            let file = try? CatalogFile()
            try? file?.catalog.connection.read { _ in
                began.raise()
                gate.wait()
            }
            withExtendedLifetime(file) {}
        }
        try await eventually("the statement has begun") { began.isRaised }
        for _ in 0..<2 { #expect(heartbeat.isExcused()) }
        gate.open()
        try await eventually("it is excused no more") { !heartbeat.isExcused() }
    }
}
