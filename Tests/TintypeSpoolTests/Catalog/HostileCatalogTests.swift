// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Catalogs modified by another program.
@Suite struct HostileCatalogTests {
    private let messages = MessageLog()

    /// Returns a closed spool with three pictures, the first pinned and tagged, and the tombstone of a fourth, and the
    /// ids of the three.
    private func filled() async throws -> (folder: SpoolFolder, ids: [FrameID]) {
        let (folder, spool) = try await SpoolFolder.opened()
        var ids = try await spool.fill(0..<4).map(\.id)
        _ = try await spool.change(FrameChange(.ids([ids[0]]), FrameEdit(pinned: true)), until: soon)
        _ = try await spool.delete(.ids([ids.removeLast()]), until: soon)
        await spool.close(until: soon)
        try folder.sql("UPDATE frame SET tags = 'alarm' WHERE pinned")
        return (folder, ids)
    }

    /// Returns the data of a row that cannot be restored from its file.
    private func kept(_ folder: SpoolFolder, _ id: FrameID) throws -> [String] {
        try folder.sql("SELECT number, pinned, tags FROM frame WHERE id = \(id.sql)")
    }

    @Test(arguments: [
        "settled = -1", "verdict = 'perfect'", "faults = 'truncated,gone'", "appearance = 'ugly'",
        "capturedAt = -9223372036854775808", "bytes = 9000000000000000000", "sequence = 4294967296",
        "path = '../x.jpg'", "path = 'yard/x.jpg'", "camera = ''", "sha256 = x'5a'", "tags = 'a b'",
        "number = 9223372036854775807", "id = zeroblob(15)", "id = zeroblob(17)",
    ])
    func `rebuilding for an unreadable row loses only the data of that row`(_ change: String) async throws {
        let (folder, ids) = try await filled()
        try folder.sql("PRAGMA ignore_check_constraints = ON; UPDATE frame SET \(change) WHERE id = \(ids[1].sql)")
        let before = try [ids[0], ids[2]].map { try kept(folder, $0) }
        #expect(before[0].first?.hasSuffix("|1|alarm") == true && before[1].count == 1)
        let spool = try await SpoolStore.open(folder.configuration, logger: messages.logger)
        try await spool.keep()
        let listed = try await spool.ids()
        #expect(listed.count == 3 && listed.first == ids[0] && listed.last == ids[2])
        for id in listed { #expect(try await spool.picture(of: id, until: soon) == picture) }
        #expect(try await spool.statistics(until: soon).cameras.mapValues(\.frames) == ["door": 3])
        let next = try await spool.store(still(9), durability: .none, until: soon)
        #expect(try await spool.ids() == listed + [next.id])
        await spool.close(until: soon)
        #expect(try [ids[0], ids[2]].map { try kept(folder, $0) } == before)
        #expect(try folder.sql("SELECT count(*) FROM tombstone") == ["1"])
        #expect(try folder.paths() == folder.pictures())
        #expect(messages.errors.count { $0.contains("set aside as") } == 1, "\(messages.errors)")
        try DamagedSpool.expectSetAside(folder, 1)
    }

    @Test(arguments: [
        "DROP TABLE frameTag", "DROP TABLE tombstone", "DROP INDEX frame_number", "DROP TRIGGER frame_inserted",
        "ALTER TABLE frame DROP COLUMN average", "DROP TABLE grdb_migrations", "DELETE FROM grdb_migrations",
        "DROP TABLE delivery", "DROP TRIGGER frame_undelivered",
    ])
    func `rebuilds a catalog with an incomplete schema`(_ sql: String) async throws {
        let (folder, ids) = try await filled()
        try folder.sql(sql)
        let spool = try await folder.open(logger: messages.logger)
        #expect(try await spool.ids() == ids)
        #expect(try folder.sql("SELECT \(idText), tags FROM frame WHERE pinned") == ["\(ids[0])|alarm"])
        let next = try await spool.store(still(9), durability: .none, until: soon)
        #expect(try await spool.picture(of: next.id, until: soon) == picture)
        await spool.close(until: soon)
        #expect(messages.errors.count { $0.contains("set aside as") } == 1, "\(messages.errors)")
        try DamagedSpool.expectSetAside(folder, 1)
    }

    @Test func `rebuilds the catalog after an index is dropped while it is open`() async throws {
        let (folder, ids) = try await filled()
        let spool = try await folder.open()
        try folder.sql("DROP INDEX frame_camera")
        #expect(await problem { try await spool.statistics(until: soon) }?.code == .spoolUnavailable)
        try await eventually("the catalog is rebuilt") {
            try? await spool.keep()
            return (try? await spool.statistics(until: soon)) != nil
        }
        #expect(try await spool.ids() == ids)
        await spool.close(until: soon)
        #expect(try folder.sql("SELECT \(idText), tags FROM frame WHERE pinned") == ["\(ids[0])|alarm"])
        try DamagedSpool.expectSetAside(folder, 1)
    }

    @Test func `retention does not rely on totals that another program can change`() async throws {
        let (folder, ids) = try await filled()
        let spool = try await folder.open(RetentionSettings(maxFrames: 10, maxBytes: 1 << 30))
        // Fails: there is no such table.
        _ = try? folder.sql("UPDATE cameraTotal SET frames = 1000000, bytes = 1 << 49")
        try folder.sql("UPDATE frame SET isLost = 1 WHERE id = \(ids[1].sql)")
        #expect(try await spool.retention(dryRun: false, at: clocks(.zero), until: soon).frames == 0)
        #expect(try await spool.statistics(until: soon).total.lost == 1)
        try folder.sql("DELETE FROM frame WHERE id = \(ids[2].sql)")
        let next = try await spool.store(still(9), durability: .none, until: soon)
        #expect(try await spool.ids() == [ids[0], ids[1], next.id])
        #expect(try await spool.statistics(until: soon).total.frames == 3)
        await spool.close(until: soon)
    }

    @Test func `keeps schema objects that an operator added`() async throws {
        let (folder, ids) = try await filled()
        try folder.sql(
            """
            CREATE INDEX mine ON frame (storedAt); CREATE VIEW held AS SELECT path FROM frame WHERE pinned;
            ALTER TABLE frame ADD COLUMN note TEXT; CREATE TABLE notes (text); UPDATE frame SET note = 'mine';
            ALTER TABLE frameTag ADD COLUMN note TEXT;
            """
        )
        let spool = try await folder.open(logger: messages.logger)
        let next = try await spool.store(still(9, tags: ["mine"]), durability: .none, until: soon)
        #expect(try await spool.ids() == ids + [next.id])
        await spool.close(until: soon)
        #expect(try folder.sql("SELECT count(note) FROM frame") == ["3"])
        #expect(try folder.sql("SELECT path FROM held") == [folder.pictures()[0]])
        let names = try folder.sql("SELECT name FROM sqlite_schema WHERE name IN ('mine', 'notes') ORDER BY name")
        #expect(names == ["mine", "notes"])
        #expect(messages.errors.isEmpty, "\(messages.errors)")
        try DamagedSpool.expectSetAside(folder, 0)
    }

    @Test func `interrupts a statement that exceeds its time`() throws {
        let limit = StatementLimit(time: .milliseconds(500))
        let file = try CatalogFile(limit: limit)
        try file.catalog.insert([FrameRow(1)], isDurable: false, at: noon)
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let begin = StatementLimit.used()
        let problem = #expect(throws: Problem.self) {
            try file.catalog.connection.read(asked: true) { try Int.fetchOne($0, sql: endless) }
        }
        #expect(problem?.detail.contains("it took too much processor time") == true)
        #expect(StatementLimit.used() - begin >= limit.time.nanosecondCount)
        // A timeout of a client's query is not catalog damage.
        #expect(file.catalog.connection.damage == nil)
        #expect(try file.catalog.totals()["door"]?.frames == 1)
    }
}
