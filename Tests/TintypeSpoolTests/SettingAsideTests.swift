// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct SettingAsideTests {
    private static let reason = Array("a page is broken".utf8)

    /// Returns a spool as left by SIGKILL and marked as damaged, with three pictures; the pin and tag of the first are
    /// only in the WAL of its catalog.
    private func noted() async throws -> (folder: SpoolFolder, ids: [FrameID]) {
        let origin = SpoolFolder()
        let spool = try await origin.open()
        let ids = try await spool.fill(0..<3, durability: .full).map(\.id)
        try origin.sql("UPDATE frame SET pinned = 1, tags = 'alarm' WHERE id = \(ids[0].sql)")
        let folder = try origin.copy()
        await spool.close(until: soon)
        #expect(try folder.names(in: "").contains("catalog.sqlite-wal"))
        try folder.write(Self.reason, to: ".catalog-damaged")
        return (folder, ids)
    }

    private func expectKept(_ folder: SpoolFolder, _ ids: [FrameID], _ comment: Comment) throws {
        #expect(try folder.ids() == ids, comment)
        #expect(try folder.sql("SELECT \(idText), tags FROM frame WHERE pinned") == ["\(ids[0])|alarm"], comment)
        #expect(try folder.paths() == folder.pictures(), comment)
        try DamagedSpool.expectSetAside(folder, 1, comment)
        #expect(try folder.names(in: ".incoming").isEmpty, comment)
    }

    @Test func `pins survive SIGKILL at every file call`() async throws {
        let (origin, ids) = try await noted()
        let count = try await KillFiles.killAtEachCall(of: origin) { spool in
            _ = try await spool.verify(until: soon)
        } expect: { folder, comment in
            try expectKept(folder, ids, comment)
        }
        #expect(count > 30)
    }

    @Test func `pins survive a failure of every file call`() async throws {
        let (origin, ids) = try await noted()
        var failed = 0
        _ = try await FaultyFiles.failEachCall { files, code, index in
            let folder = try origin.copy()
            files.arm(.error(code), at: index)
            if let spool = try? await SpoolStore.open(folder.configuration, files: files) {
                await spool.close(until: soon)
            } else {
                failed += 1
            }
            try await folder.restart()
            try expectKept(folder, ids, "\(code) at \(index): \(files.failed ?? "none")")
        }
        #expect(failed > 15)
    }

    @Test func `a second damage loses nothing of either catalog`() async throws {
        let (folder, ids) = try await noted()
        // Opened only: the catalog is set aside but not yet read.
        let first = try await SpoolStore.open(folder.configuration)
        let later = try await first.store(still(7), durability: .full, until: soon).id
        _ = try await first.change(FrameChange(.ids([later]), FrameEdit(pinned: true)), until: soon)
        await first.close(until: soon)
        try folder.write(Self.reason, to: ".catalog-damaged")
        try await folder.restart()
        #expect(try folder.ids() == ids + [later])
        #expect(try folder.ids(where: "pinned") == [ids[0], later])
        try DamagedSpool.expectSetAside(folder, 2)
    }

    @Test func `the next verification retries a locked damaged catalog`() async throws {
        let folder = try await noted().folder
        let messages = MessageLog()
        let spool = try await SpoolStore.open(folder.configuration, logger: messages.logger)
        let name = try #require(try folder.names(in: "").first { $0.hasPrefix("catalog.sqlite.damaged-") })
        // Another program holds an exclusive lock.
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: "\(folder.path)/\(name)", configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE") }
        _ = try await spool.verify(until: soon)
        #expect(try folder.sql("SELECT count(*), sum(pinned) FROM frame") == ["3|0"])
        #expect(try folder.names(in: "").contains(".catalog-salvage"))
        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try other.close()
        _ = try await spool.verify(until: soon)
        await spool.close(until: soon)
        // The row was made from the file in the meantime and has another id.
        #expect(try folder.sql("SELECT path, tags FROM frame WHERE pinned") == ["\(folder.pictures()[0])|alarm"])
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["3"])
        try DamagedSpool.expectSetAside(folder, 1)
        #expect(messages.errors.count { $0.contains("cannot be read now") } == 1)
    }

    @Test func `reading a damaged catalog creates no -shm file`() async throws {
        let folder = try await noted().folder
        try? folder.remove("catalog.sqlite-shm")
        let spool = try await SpoolStore.open(folder.configuration)
        let name = try #require(try folder.names(in: "").first { $0.hasPrefix("catalog.sqlite.damaged-") })
        #expect(try folder.names(in: "").contains("\(name)-wal"))
        var salvage = CatalogSalvage(path: "\(folder.path)/\(name)", oldestTombstone: noon)
        var count = 0
        while let part = salvage.next(100) { count += part.frames.count }
        #expect(count == 3)
        #expect(try !folder.names(in: "").contains("\(name)-shm"))
        salvage.close()
        #expect(try !folder.names(in: "").contains("\(name)-shm"))
        await spool.close(until: soon)
    }

    @Test(arguments: ["", "\n", "catalog.sqlite.damaged-20260101T000000.000000Z", "../catalog.sqlite.damaged-x"])
    func `discards a salvage note of a missing catalog`(_ text: String) async throws {
        let folder = SpoolFolder()
        let id = try await folder.filled([0], durability: .full)[0].id
        try folder.write(Array(text.utf8), to: ".catalog-salvage")
        let spool = try await folder.open()
        #expect(try await spool.picture(of: id, until: soon) == picture)
        await spool.close(until: soon)
        #expect(try !folder.names(in: "").contains(".catalog-salvage"))
    }
}
