// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Thumbnails go before any picture does.
@Suite struct ThumbnailRoomTests {
    /// A spool of pictures with a thumbnail of each, and their ids.
    private func filled(
        _ folder: SpoolFolder,
        _ count: Int,
        minFree: UInt64 = 0,
        files: (any FileSystem)? = nil
    ) async throws -> (Spool, [FrameID]) {
        let spool = try await folder.open(RetentionSettings(minFree: minFree), files: files)
        var ids: [FrameID] = []
        for number in 0..<count {
            ids.append(try await spool.store(try ThumbnailTests.largeStill(number), durability: .none, until: soon).id)
            _ = try await spool.thumbnail(of: ids[number], width: 160, until: soon)
        }
        #expect(try thumbnails(folder) == count)
        return (spool, ids)
    }

    private func thumbnails(_ folder: SpoolFolder) throws -> Int { try folder.names(in: ".thumbnails").count }

    @Test(arguments: [0, 400_000] as [UInt64])
    func `a still that finds no room gets that of thumbnails`(_ minFree: UInt64) async throws {
        let folder = try SpoolFolder()
        let disk = SmallDisk(free: 64 << 20)
        let (spool, ids) = try await filled(folder, 4, minFree: minFree, files: disk)
        let next = try ThumbnailTests.largeStill(9)
        disk.freeBytes = next.picture.count + Int(StillWriter.reserve + minFree) - 3000
        let record = try await spool.store(next, durability: .full, until: soon)
        #expect(try folder.sql("SELECT \(idText) FROM frame ORDER BY id") == (ids + [record.id]).map(\.description))
        #expect(try thumbnails(folder) == 0)
        await spool.close(until: soon)
    }

    @Test func `in the background they go first as well, and a dry run says so`() async throws {
        let folder = try SpoolFolder()
        let disk = SmallDisk(free: 64 << 20)
        let (first, ids) = try await filled(folder, 4, minFree: 10 << 20, files: disk)
        await first.close(until: soon)
        // A start later: nothing is known of them yet.
        let spool = try await folder.open(RetentionSettings(minFree: 10 << 20), files: disk)
        disk.freeBytes = (10 << 20) - 8192
        #expect(try await spool.retention(dryRun: true, at: clocks(.zero), until: soon).frames == 0)
        #expect(try thumbnails(folder) == 4)
        #expect(try await spool.retention(dryRun: false, at: clocks(.zero), until: soon).frames == 0)
        #expect(try thumbnails(folder) == 0)
        disk.freeBytes = (10 << 20) - 8192
        let told = try await spool.retention(dryRun: true, at: clocks(.zero), until: soon)
        let done = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        #expect(done.frames > 0 && done.victims == told.victims && done.victims.first?.id == ids[0])
        await spool.close(until: soon)
    }

    @Test func `none is kept where that would take of the minimum of free space`() async throws {
        let folder = try SpoolFolder()
        let disk = SmallDisk(free: 64 << 20)
        let (spool, ids) = try await filled(folder, 1, minFree: 40 << 20, files: disk)
        disk.freeBytes = 50 << 20
        _ = try await spool.thumbnail(of: ids[0], width: 200, until: soon)
        #expect(try thumbnails(folder) == 1)
        await spool.close(until: soon)
    }

    @Test(.requiresMounting) func `on a disk without room for a tombstone they make it`() async throws {
        try await MemoryDisk.mounted("size=32m") { folder in
            let (spool, ids) = try await filled(folder, 20)
            // Somebody else fills the rest, to the last byte.
            _ = try? shellOutput("dd", "if=/dev/zero", "of=\(folder.path)/rest", "bs=4k", "status=none")
            #expect(try await spool.delete(.ids([ids[0]]), until: soon).changed == 1)
            #expect(try thumbnails(folder) < 20)
            #expect(try folder.pictures().count == 19)
            await spool.close(until: soon)
        }
    }
}
