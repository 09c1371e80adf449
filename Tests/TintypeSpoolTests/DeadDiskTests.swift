// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeFrames
internal import TintypeModel
internal import TintypePattern
internal import TintypeSpool
internal import TintypeStills

struct DeadDiskTests {
    @Test func `a dead disk keeps no frame from its camera (slow-disk-blocks-DQBUF)`() async throws {
        let files = StuckFiles()
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        let pattern = try PatternSpec("YUYV:64x48@100")
        let session = CaptureSession(
            name: "door",
            // Tests beside this one may keep it from its next still for longer than a camera lingers.
            configuration: SessionConfiguration(warmth: .hot),
            encoding: EncodingThreads(count: 1),
            logger: quiet
        ) { (calls) throws(DeviceError) in try PatternDevice(pattern, name: "door", calls: calls) }
        let stills = StillOutput(session: session)
        files.block()
        // More stills than the camera has buffers, as the daemon stores them: none of them gets onto the disk.
        for _ in 0..<10 {
            let still = try await stills.take(StillRequest(deadline: .patience))
            let late = await #expect(throws: Problem.self) {
                try await spool.store(still, durability: .full, until: .now() + .milliseconds(20))
            }
            #expect(late?.code == .deadlineExceeded)
        }
        // The camera goes on: twenty frames more, each of them taken after the one before.
        var last: UInt32 = 0
        for _ in 0..<20 {
            let sequence = try await stills.take(StillRequest(fresh: .request, deadline: .patience)).record.sequence
            #expect(sequence > last)
            last = sequence
        }
        files.unblock()
        #expect(await session.end(within: .patience))
        await spool.close(until: soon)
    }
}
