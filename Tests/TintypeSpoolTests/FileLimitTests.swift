// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct FileLimitTests {
    private static let huge: UInt64 = 8 << 40

    @Test func `refuses to read a file beyond its limit`() throws {
        let folder = SpoolFolder()
        try folder.write([1, 2, 3], to: "three")
        let files = SystemFiles()
        #expect(try files.read("\(folder.path)/three", atMost: 3) == [1, 2, 3])
        let error = #expect(throws: FileError.self) { try files.read("\(folder.path)/three", atMost: 2) }
        #expect(error?.code == EFBIG && error?.description.contains("three: file too large") == true)
        #expect(try !files.read("/proc/self/status", atMost: FileLimit.note).isEmpty)
    }

    @Test(arguments: [
        ".clock", ".catalog-salvage", ".catalog-damaged", ".catalog-clean", ".lock", ".incoming/x",
        "door/2026/huge.jpg", "door/latest.jpg",
    ])
    func `opens and stores despite a file of 8 TiB`(_ name: String) async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        let first = try await spool.store(still(), durability: .none, until: soon)
        await spool.close(until: soon)
        if name.hasSuffix("latest.jpg") { try folder.remove(name) }
        try folder.makeSparse(name, Self.huge)
        var configuration = folder.configuration
        configuration.ownLatest = name.hasSuffix("latest.jpg") ? ["door"] : []
        let again = try await folder.open(configuration)
        _ = try await again.retention(dryRun: false, until: soon)
        let second = try await again.store(still(1), durability: .none, until: soon)
        for id in [first.id, second.id] { #expect(try await again.picture(of: id, until: soon) == picture) }
    }

    @Test func `refuses a picture above the size limit`() async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        // Only the record has this size; the test does not allocate it.
        var large = still()
        large.record.bytes = FileLimit.picture + 1
        let problem = try await spool.refusal(of: large, durability: .none)
        #expect(problem.code == .spoolFull && problem.detail.contains("256M"), "\(problem)")
        #expect(try folder.pictures() == [])
        large.record.bytes = FileLimit.picture
        _ = try await spool.store(large, durability: .none, until: soon)
        #expect(try folder.pictures().count == 1)
    }

    @Test func `a picture of 8 TiB fails without affecting others`() async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        let first = try await spool.store(still(), durability: .none, until: soon)
        let second = try await spool.store(still(1), durability: .none, until: soon)
        try folder.makeSparse(folder.pictures()[0], Self.huge)
        _ = await #expect(throws: Problem.self) { try await spool.picture(of: first.id, until: soon) }
        _ = try await spool.verify(deep: true, until: soon)
        #expect(try await spool.picture(of: second.id, until: soon) == picture)
    }
}
