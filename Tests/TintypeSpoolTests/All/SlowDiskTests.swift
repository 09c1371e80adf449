// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct SlowDiskTests {
    @Test func `a dead disk holds a caller up until its deadline, and the stores end as a whole when it wakes`()
        async throws
    {
        let files = FaultyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        files.block()
        // As many as are written side by side; nothing wakes the disk before they have returned.
        let (_, problems) = try await spool.storeAtOnce(0..<8, until: .now() + .seconds(3))
        #expect(problems.values.map(\.code) == Array(repeating: .deadlineExceeded, count: 8))
        #expect(files.waiting == 8)
        // One more, which waits for them.
        #expect(try await spool.refusal(of: still(8), until: .now() + .milliseconds(100)).code == .deadlineExceeded)
        await spool.close(until: .now() + .milliseconds(100))
        #expect(try folder.pictures().isEmpty)
        files.mend()
        await spool.close(until: soon)
        // Those that had begun are there with their rows; the one that had not is not.
        #expect(try folder.pictures() == (0..<8).map { storedName($0) })
        #expect(try catalogOutput("\(folder.path)/catalog.sqlite", "SELECT count(*) FROM frame") == "8\n")
        #expect(try folder.names(in: ".incoming").isEmpty)
    }

    // In a process of its own, because memory belongs to all of a process.
    @Test func `pictures that wait for a dead disk are bounded, and gone with those who waited`() async throws {
        await #expect(processExitsWith: .success) { try await SlowDiskTests.wait(forDeadDisk: 200) }
    }

    private static func wait(forDeadDisk count: Int) async throws {
        let files = FaultyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        files.block()
        let large = picture + [UInt8](repeating: 0, count: 4 << 20)
        let before = try ProcessMemory.resident
        // One for all: none gives its place up before the last one has come.
        let deadline = MonotonicTime.now() + .seconds(10)
        // Every one a copy of its own, as pictures of a camera are.
        let taken = { @Sendable (number: Int) in still(number, picture: large + [UInt8(truncatingIfNeeded: number)]) }
        let codes = try await spool.storeAtOnce(0..<count, until: deadline, taken: taken).problems.values.map(\.code)
        #expect(codes.count { $0 == .deadlineExceeded } == 128)
        #expect(codes.count { $0 == .tooManyRequests } == count - 128)
        // 128 of them would be 512 MiB; 8 are being written.
        #expect(try ProcessMemory.resident - before < 200 << 10)
        files.mend()
        await spool.close(until: soon)
        #expect(try folder.pictures().count == 8)
    }
}
