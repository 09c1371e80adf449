// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Testing
internal import TintypeModel
internal import TintypeSpool

/// Spools on file systems of their own, which only root can mount.
@Suite(.enabled(if: geteuid() == 0, "mounting a tmpfs needs root")) struct MountedTests {
    private func mounted<Result>(
        _ size: String,
        _ body: (SpoolFolder) async throws -> Result
    ) async throws -> Result {
        let folder = try SpoolFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try shellOutput("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder.path)
        do {
            let result = try await body(folder)
            try shellOutput("umount", "-l", folder.path)
            return result
        } catch {
            try shellOutput("umount", "-l", folder.path)
            throw error
        }
    }

    @Test func `a full disk is said, keeps what is stored, and is over when there is room`() async throws {
        try await mounted("4m") { folder in
            let spool = try await folder.open()
            let large = picture.dropLast(2) + [UInt8](repeating: 0, count: 100_000) + [0xFF, 0xD9]
            var stored: [StillRecord] = []
            var problem: Problem?
            while problem == nil, stored.count < 100 {
                do throws(Problem) {
                    let next = still(stored.count, picture: [UInt8](large))
                    stored.append(try await spool.store(next, durability: .full, until: soon))
                } catch {
                    problem = error
                }
            }
            #expect(problem?.code == .spoolFull)
            #expect(problem?.detail.contains("no space left on device") == true)
            #expect(stored.count > 5)
            #expect(try folder.pictures().count == stored.count)
            #expect(try folder.names(in: ".incoming").isEmpty)
            for record in stored { #expect(try await spool.picture(of: record.id, until: soon) == [UInt8](large)) }
            // Somebody else fills the rest: the catalog's own pages find no room.
            _ = try? shellOutput("dd", "if=/dev/zero", "of=\(folder.path)/rest", "bs=4k", "status=none")
            let fuller = await #expect(throws: Problem.self) {
                try await spool.store(still(200), durability: .full, until: soon)
            }
            #expect(fuller?.code == .spoolFull)
            try folder.remove("rest")
            for record in stored.prefix(3) { try FileManager.default.removeItem(atPath: try #require(record.path)) }
            let next = try await spool.store(still(300), durability: .full, until: soon)
            #expect(try await spool.picture(of: next.id, until: soon) == picture)
            await spool.close(until: soon)
        }
    }

    @Test func `a disk without room for anything is refused at the start`() async throws {
        try await mounted("16k") { folder in
            let problem = await #expect(throws: Problem.self) { try await folder.open() }
            #expect(problem?.code == .spoolFull)
        }
    }

    @Test func `a file system mounted read-only is refused, and used again once it is not`() async throws {
        try await mounted("8m") { folder in
            await (try await folder.open()).close(until: soon)
            try shellOutput("mount", "-o", "remount,ro", folder.path)
            let problem = await #expect(throws: Problem.self) { try await folder.open() }
            #expect(problem?.code == .spoolUnavailable)
            #expect(problem?.detail.contains("read-only file system") == true)
            #expect(problem?.remedy.contains("read-write") == true)
            try shellOutput("mount", "-o", "remount,rw", folder.path)
            await (try await folder.open()).close(until: soon)
        }
    }
}
