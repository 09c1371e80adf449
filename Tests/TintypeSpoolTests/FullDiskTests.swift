// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Disks that become full at any write: ENOSPC from the kernel at every possible place.
@Suite(.serialized, .requiresMounting) struct FullDiskTests {
    /// Files that report enough space in the check before a write, so that the writes themselves fail.
    private final class TrustingFiles: FileLayer {
        let files = SystemFiles()
        private let isTrusting = Mutex(false)

        /// Makes the next query of the free space report plenty.
        func trust() { isTrusting.withLock { $0 = true } }

        func availableBytes(at path: String) throws(FileError) -> UInt64 {
            let isTrusting = isTrusting.withLock { isTrusting in
                defer { isTrusting = false }
                return isTrusting
            }
            return isTrusting ? 1 << 40 : try files.availableBytes(at: path)
        }
    }

    /// Fills the disk except for this number of pages.
    private func fill(_ folder: SpoolFolder, butFor pages: Int) throws {
        let path = "\(folder.path)/filler"
        // Ends with ENOSPC, as intended.
        _ = try? shellOutput("sh", "-c", "cat /dev/zero > '\(path)' 2> /dev/null")
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        try #require(unsafe truncate(path, size / 4096 * 4096 - pages * 4096) == 0)
    }

    @Test(arguments: Durability.allCases)
    func `recovers from a full disk at any number of free pages`(_ durability: Durability) async throws {
        // Nine pages, so that the space can run out in the middle of the file.
        let large = picture.dropLast(2) + [UInt8](repeating: 0, count: 34_000) + [0xFF, 0xD9]
        try await MemoryDisk.mounted("size=16m") { folder in
            let files = TrustingFiles()
            let spool = try await folder.open(files: files)
            _ = try await spool.store(still(picture: large), durability: durability, until: soon)
            var (stored, refused) = (1, 0)
            for pages in 0..<24 {
                try fill(folder, butFor: pages)
                // A new camera, whose folders have to be created.
                let next = still(pages, camera: "camera-\(pages)", picture: large)
                files.trust()
                do throws(Problem) {
                    _ = try await spool.store(next, durability: durability, until: soon)
                    stored += 1
                } catch {
                    refused += 1
                    #expect(error.code == .spoolFull, "\(pages) pages: \(error)")
                    #expect(error.detail.contains(folder.path) && !error.remedy.isEmpty, "\(error)")
                }
                try folder.remove("filler")
                try folder.expectAgreement(on: large, "\(pages) pages")
                #expect(try folder.pictures().count == stored && folder.paths().count == stored, "\(pages) pages")
                let after = still(pages, camera: "after", picture: large)
                let record = try await spool.store(after, durability: durability, until: soon)
                stored += 1
                #expect(try await spool.picture(of: record.id, until: soon) == large)
            }
            try folder.expectAgreement(on: large, "in the end")
            #expect(try folder.pictures().count == stored && folder.paths().count == stored)
            #expect(refused >= 9 && refused < 24, "\(refused)")
            await spool.close(until: soon)
        }
    }

    @Test func `recovers from a full disk at any number of free inodes`() async throws {
        var (refused, stored) = (0, 0)
        for inodes in 4..<30 {
            try await MemoryDisk.mounted("size=8m,nr_inodes=\(inodes)") { folder in
                let files = TrustingFiles()
                var spool: SpoolStore?
                do throws(Problem) {
                    spool = try await SpoolStore.open(folder.configuration, files: files)
                    files.trust()
                    _ = try await spool?.store(still(), durability: .full, until: soon)
                    stored += 1
                } catch {
                    refused += 1
                    #expect(error.code == .spoolFull, "\(inodes) files: \(error)")
                    #expect(error.detail.contains(folder.path), "\(error)")
                    #expect(try folder.pictures().isEmpty)
                }
                try shellOutput("mount", "-o", "remount,nr_inodes=1000", folder.path)
                let again = if let spool { spool } else { try await folder.open() }
                let record = try await again.store(still(1), durability: .full, until: soon)
                #expect(try await again.picture(of: record.id, until: soon) == picture)
                #expect(try folder.names(in: ".incoming").isEmpty)
                await again.close(until: soon)
            }
        }
        #expect(refused >= 8 && stored >= 2, "\(refused) refused, \(stored) stored")
    }

    @Test func `names minFree when the pictures cannot free enough space`() async throws {
        try await MemoryDisk.mounted("size=8m") { folder in
            let spool = try await folder.open(RetentionSettings(minFree: 6 << 20))
            _ = try? shellOutput("dd", "if=/dev/zero", "of=\(folder.path)/rest", "bs=1M", "count=4", "status=none")
            let problem = try await spool.refusal(durability: .data)
            #expect(problem.code == .spoolFull && problem.detail.contains("6M (minFree)"))
            #expect(problem.remedy.contains("lower minFree"))
            await spool.close(until: soon)
        }
    }

    @Test func `opens on a disk without a free byte, and retention makes room`() async throws {
        try await MemoryDisk.mounted("size=8m") { folder in
            let large = picture.dropLast(2) + [UInt8](repeating: 0, count: 100_000) + [0xFF, 0xD9]
            let ids = try await folder.filled(0..<30, picture: [UInt8](large)).map(\.id)
            _ = try? shellOutput("dd", "if=/dev/zero", "of=\(folder.path)/rest", "bs=4k", "status=none")
            let spool = try await SpoolStore.open(folder.configuration(RetentionSettings(maxFrames: 5)))
            #expect(spool.state.name == .full)
            #expect(try await spool.picture(of: ids[29], until: soon) == [UInt8](large))
            try await spool.keep()
            #expect(try await spool.ids() == ids.suffix(5))
            let next = try await spool.store(still(100, picture: [UInt8](large)), durability: .full, until: soon)
            #expect(try await spool.ids() == ids.suffix(4) + [next.id])
            #expect(spool.state == .available)
            await spool.close(until: soon)
        }
    }

    @Test func `frees space on a disk without room for a tombstone`() async throws {
        try await MemoryDisk.mounted("size=8m") { folder in
            let large = picture.dropLast(2) + [UInt8](repeating: 0, count: 100_000) + [0xFF, 0xD9]
            let spool = try await folder.open(RetentionSettings(minFree: 100_000))
            let ids = try await spool.fill(0..<30, picture: [UInt8](large), durability: .full).map(\.id)
            // Another program fills the rest to the last byte.
            _ = try? shellOutput("dd", "if=/dev/zero", "of=\(folder.path)/rest", "bs=4k", "status=none")
            let next = try await spool.store(still(100, picture: [UInt8](large)), durability: .full, until: soon)
            let left = try folder.ids()
            #expect(left.last == next.id && left.count < 31 && left.count > 10)
            #expect(left.dropLast() == ids.suffix(left.count - 1))
            #expect(try folder.paths() == folder.pictures())
            await spool.close(until: soon)
        }
    }
}
