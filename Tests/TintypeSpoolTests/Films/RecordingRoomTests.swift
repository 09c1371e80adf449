// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Recordings on a disk that fills up.
@Suite struct RecordingRoomTests {
    private let clock = TestClock()
    private let folder = SpoolFolder()

    @Test func `a recording ends when the disk lacks room, and keeps its pictures`() async throws {
        let disk = SmallDisk(free: 200 << 20)
        let spool = try await folder.open(files: disk, clock: clock)
        let job = try await spool.addClip(Job.newID(), ClipRequest(), of: "door", from: noon, until: soon)
        let file = try await spool.openRecording(job.id, FrameSize(width: 16, height: 8), until: soon)
        try await file.append(picture, at: .zero)
        disk.freeBytes = 60 << 20
        try await clock.sleep(for: .seconds(1))
        try await file.append(picture, at: .seconds(1))
        // The look at the room is beside the writing, on the storage thread.
        try await spool.storage.perform("be waited for", until: soon) { _ in }
        let refusal = await problem { try await file.append(picture, at: .seconds(2)) }
        #expect(refusal?.code == .spoolFull)
        await file.close()
        #expect(file.bytes == recording([0, 1000]).count)
        #expect(try folder.bytes(".incoming/\(job.id).smjpeg") == recording([0, 1000]))
        let late = await problem {
            try await spool.openRecording("other", FrameSize(width: 16, height: 8), until: soon)
        }
        #expect(late?.code == .spoolFull)
    }
}
