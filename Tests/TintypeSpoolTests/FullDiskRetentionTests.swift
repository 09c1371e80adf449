// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Retention on a file system that is full, which only root can mount.
@Suite(.requiresMounting) struct FullDiskRetentionTests {
    @Test func `a minimum that the spool's pictures cannot make is named, and not a disk without room`() async throws {
        try await MemoryDisk.mounted("size=8m") { folder in
            let spool = try await folder.open(RetentionSettings(minFree: 6 << 20))
            _ = try? shellOutput("dd", "if=/dev/zero", "of=\(folder.path)/rest", "bs=1M", "count=4", "status=none")
            let problem = try await spool.refusal(durability: .data)
            #expect(problem.code == .spoolFull && problem.detail.contains("6M (minFree)"))
            #expect(problem.remedy.contains("lower minFree"))
            await spool.close(until: soon)
        }
    }

    @Test func `on a disk without room for a tombstone the oldest pictures still make room`() async throws {
        try await MemoryDisk.mounted("size=8m") { folder in
            let large = picture.dropLast(2) + [UInt8](repeating: 0, count: 100_000) + [0xFF, 0xD9]
            let spool = try await folder.open(RetentionSettings(minFree: 100_000))
            let ids = try await spool.fill(0..<30, picture: [UInt8](large), durability: .full).map(\.id)
            // Somebody else fills the rest, to the last byte.
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
