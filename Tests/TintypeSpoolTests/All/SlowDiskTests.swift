// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct SlowDiskTests {
    @Test func `stores on a dead disk time out and complete when it wakes`() async throws {
        let files = FaultyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        files.block()
        // As many stores as writing threads; nothing wakes the disk before they have returned.
        let (_, problems) = try await spool.storeAtOnce(0..<8, until: .now() + .seconds(3))
        #expect(problems.values.map(\.code) == Array(repeating: .deadlineExceeded, count: 8))
        #expect(files.waiting == 8)
        // An additional store that waits for them.
        #expect(try await spool.refusal(of: still(8), until: .now() + .milliseconds(100)).code == .deadlineExceeded)
        await spool.close(until: .now() + .milliseconds(100))
        #expect(try folder.pictures().isEmpty)
        files.mend()
        await spool.close(until: soon)
        // The started stores completed with their rows; the queued one did not.
        #expect(try folder.pictures() == (0..<8).map { storedName($0) })
        #expect(try catalogOutput("\(folder.path)/catalog.sqlite", "SELECT count(*) FROM frame") == "8\n")
        #expect(try folder.names(in: ".incoming").isEmpty)
    }

    // In a child process, since resident memory is measured per process.
    @Test func `bounds the pictures waiting for a dead disk`() async throws {
        await #expect(processExitsWith: .success) { try await SlowDiskTests.wait(forDeadDisk: 200) }
    }

    private static func wait(forDeadDisk count: Int) async throws {
        let files = FaultyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        files.block()
        let large = picture + [UInt8](repeating: 0, count: 4 << 20)
        let before = try ProcessMemory.resident
        // A common deadline: no store frees its place before the last one has come.
        let deadline = MonotonicTime.now() + .seconds(10)
        // A separate copy for each still, as with a real camera.
        let taken = { @Sendable (number: Int) in still(number, picture: large + [UInt8(truncatingIfNeeded: number)]) }
        let codes = try await spool.storeAtOnce(0..<count, until: deadline, taken: taken).problems.values.map(\.code)
        #expect(codes.count { $0 == .deadlineExceeded } == 128)
        #expect(codes.count { $0 == .tooManyRequests } == count - 128)
        // 128 pictures would take 512 MiB; 8 are being written.
        #expect(try ProcessMemory.resident - before < 200 << 10)
        files.mend()
        await spool.close(until: soon)
        #expect(try folder.pictures().count == 8)
    }
}
