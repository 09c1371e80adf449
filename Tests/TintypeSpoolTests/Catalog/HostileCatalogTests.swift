// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Catalogs that another program has written to: what is damaged costs no more than itself.
@Suite struct HostileCatalogTests {
    /// A spool with three pictures whose catalog was changed by `sql` while it was closed; their ids.
    private func spoiled(_ sql: String) async throws -> (folder: SpoolFolder, ids: [FrameID]) {
        let folder = try SpoolFolder()
        let spool = try await folder.open()
        var ids: [FrameID] = []
        for number in 0..<3 { ids.append(try await spool.store(still(number), durability: .none, until: soon).id) }
        await spool.close(until: soon)
        try folder.sql(sql)
        return (folder, ids)
    }

    private func list(_ spool: Spool, _ filter: String = "") async throws -> [FrameID] {
        let query = FrameQuery(filter: try FrameFilter(parsing: filter), order: .oldest, limit: 10)
        return try await spool.frames(query, until: soon).frames.map(\.still.id)
    }

    @Test(
        arguments: [
            "settled = -1", "verdict = ''", "verdict = 'perfect'", "capturedAt = -9223372036854775808",
            "storedAt = 9223372036854775807", "bytes = -1", "bytes = 9000000000000000000", "width = -5",
            "height = 70000", "sequence = -1", "sequence = 4294967296", "path = '../x.jpg'",
            "path = 'door/../../x.jpg'",
            "path = '/etc/passwd'", "path = 'yard/x.jpg'", "path = 'door/' || hex(zeroblob(3000)) || '.jpg'",
            "camera = 'Door'", "camera = ''", "sha256 = x'5a'", "bootID = hex(zeroblob(40))",
            "storedMonotonicNs = -1", "isClockSynchronized = 2", "pinned = 7", "isLost = -1", "source = 'nowhere'",
            "stored = ''", "tags = 'a b'", "tags = hex(zeroblob(9000))", "faults = 'none'", "average = -3",
            "gapNs = -1", "uncertaintyNs = -1", "timestampSource = ''", "number = -1",
            "number = 9223372036854775807", "id = x''", "id = zeroblob(15)",
        ]
    )
    func `a damaged row costs that row, is said once, and its picture gets a new one`(_ change: String) async throws {
        let (folder, ids) = try await spoiled("SELECT 1")
        try folder.sql("PRAGMA ignore_check_constraints = ON; UPDATE frame SET \(change) WHERE id = \(ids[1].sql)")
        let messages = MessageLog()
        let spool = try await Spool.open(folder.configuration, logger: messages.logger, until: soon)
        #expect(try await list(spool).filter { $0 != ids[1] } == [ids[0], ids[2]])
        _ = try await spool.statistics(until: soon)
        let next = try await spool.store(still(9), durability: .none, until: soon)
        try await spool.keep()
        #expect(try await list(spool).count == 4)
        #expect(try await list(spool, "camera:door").count == 4)
        for id in [ids[0], ids[2], next.id] { #expect(try await spool.picture(of: id, until: soon) == picture) }
        let totals = try await spool.statistics(until: soon).cameras
        #expect(totals.mapValues(\.frames) == ["door": 4])
        await spool.close(until: soon)
        #expect(messages.errors.count { $0.contains("set aside") } == 1, "\(messages.errors)")
        #expect(try folder.pictures().count == 4)
        let again = try await folder.open(logger: messages.logger)
        #expect(try await list(again).count == 4)
        await again.close(until: soon)
        #expect(messages.errors.count { $0.contains("set aside") } == 1, "\(messages.errors)")
    }

    @Test(
        arguments: [
            "INSERT INTO cameraTotal VALUES ('ghost', 3, 7, 0, 0)",
            "INSERT INTO cameraTotal VALUES ('GHOST', -3, -7, -5, -5)",
            "UPDATE cameraTotal SET frames = -1", "UPDATE cameraTotal SET frames = 9223372036854775807",
            "UPDATE cameraTotal SET bytes = 9223372036854775807", "UPDATE cameraTotal SET pinned = -7",
            "UPDATE cameraTotal SET camera = 'yard'", "DELETE FROM cameraTotal",
            "UPDATE cameraTotal SET frames = 2, bytes = 5", "UPDATE cameraTotal SET lost = 1", "DELETE FROM frameTag",
            "UPDATE frameTag SET camera = 'yard'", "UPDATE frameTag SET verdict = 'damaged'",
            "INSERT INTO frameTag VALUES ('alarm', x'00', 'door', NULL)",
        ]
    )
    func `what is derived from the rows is made again where it does not agree with them`(_ sql: String) async throws {
        let (folder, ids) = try await spoiled("UPDATE frame SET tags = 'alarm'; \(sql)")
        let spool = try await folder.open()
        #expect(try await list(spool, "camera:door") == ids)
        #expect(try await list(spool, "tag:alarm") == ids)
        #expect(try await list(spool, "tag:alarm, pinned:no") == ids)
        let bytes = 3 * picture.count
        var totals = try await spool.statistics(until: soon).cameras
        #expect(totals.count == 1 && totals["door"]?.frames == 3 && totals["door"]?.bytes == bytes)
        _ = try await spool.store(still(9), durability: .none, until: soon)
        totals = try await spool.statistics(until: soon).cameras
        #expect(totals["door"]?.frames == 4)
        await spool.close(until: soon)
    }

    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

    @Test(
        arguments: [
            "DROP TABLE cameraTotal", "DROP INDEX frame_camera", "DROP TRIGGER frame_inserted", "DROP TABLE frame",
            "DROP TABLE grdb_migrations", "DELETE FROM grdb_migrations", "INSERT INTO grdb_migrations VALUES ('other')",
            "DROP TABLE frame; CREATE VIEW frame AS \(endless) SELECT i AS id, i AS pinned FROM n",
            "DROP TABLE tombstone; CREATE VIEW tombstone AS \(endless) SELECT i AS path FROM n",
            "DROP TABLE grdb_migrations; CREATE VIEW grdb_migrations AS \(endless) SELECT i AS identifier FROM n",
            "CREATE TRIGGER evil AFTER INSERT ON frame BEGIN DELETE FROM frame; END",
            "ALTER TABLE frame ADD COLUMN more TEXT",
        ]
    )
    func `a schema that is not ours is set aside, and the catalog rebuilt`(_ sql: String) async throws {
        let (folder, ids) = try await spoiled(sql)
        let messages = MessageLog()
        let spool = try await folder.open(logger: messages.logger)
        #expect(try await list(spool).count == ids.count)
        let next = try await spool.store(still(9), durability: .none, until: soon)
        #expect(try await spool.picture(of: next.id, until: soon) == picture)
        await spool.close(until: soon)
        #expect(messages.errors.count { $0.contains("set aside as") } == 1, "\(messages.errors)")
        try DamagedSpool.expectSetAside(folder, 1)
    }

    @Test func `an id that is none cannot be written, and where one stands the catalog is rebuilt`() async throws {
        let (folder, ids) = try await spoiled("SELECT 1")
        for change in ["id = zeroblob(17)", "sha256 = x'5a'"] {
            #expect(throws: (any Error).self) { try folder.sql("UPDATE frame SET \(change)") }
        }
        let change = "UPDATE frame SET id = zeroblob(17) WHERE id = \(ids[1].sql)"
        try folder.sql("PRAGMA ignore_check_constraints = ON; \(change)")
        let spool = try await Spool.open(folder.configuration, logger: MessageLog().logger, until: soon)
        await #expect(throws: (any Error).self) { try await list(spool) }
        try await spool.keep()
        #expect(try await list(spool).count == ids.count)
        await spool.close(until: soon)
        try DamagedSpool.expectSetAside(folder, 1)
    }

    @Test func `a catalog whose header forbids to write it is set aside, and rebuilt`() async throws {
        let (folder, ids) = try await spoiled("SELECT 1")
        var bytes = try folder.bytes("catalog.sqlite")
        // "File format version numbers" of SQLite's file format: one above 2 is of a later version, and only to be read.
        bytes[18] = 24
        try folder.write(bytes, to: "catalog.sqlite")
        let spool = try await folder.open()
        #expect(try await list(spool).count == ids.count)
        _ = try await spool.store(still(9), durability: .none, until: soon)
        await spool.close(until: soon)
        try DamagedSpool.expectSetAside(folder, 1)
    }

    @Test func `a view in place of a table of what was set aside is not read`() throws {
        let file = try CatalogFile([FrameRow(1)])
        try file.catalog.close()
        #expect(Self.salvaged(file.path) == 1)
        try catalogOutput(file.path, "ALTER TABLE frame RENAME TO hidden; CREATE VIEW frame AS SELECT * FROM hidden")
        #expect(Self.salvaged(file.path) == 0)
    }

    /// How many rows of frames can be read of a catalog that was set aside.
    private static func salvaged(_ path: String) -> Int {
        var salvage = CatalogSalvage(path: path)
        defer { salvage.close() }
        var count = 0
        while let part = salvage.next(100) { if case .frames(let rows) = part { count += rows.count } }
        return count
    }

    @Test func `a table that goes while the spool is open is noticed, and the catalog rebuilt`() async throws {
        let folder = try SpoolFolder()
        let spool = try await folder.open()
        let first = try await spool.store(still(), durability: .none, until: soon)
        try folder.sql("DROP TABLE cameraTotal")
        _ = await #expect(throws: Problem.self) { try await spool.store(still(1), durability: .none, until: soon) }
        // Behind the examination.
        try? await spool.keep()
        let second = try await spool.store(still(2), durability: .none, until: soon)
        try await spool.keep()
        #expect(try await list(spool) == [first.id, second.id])
        await spool.close(until: soon)
        try DamagedSpool.expectSetAside(folder, 1)
    }

    @Test func `a catalog of a newer version is refused, and left as it is`() async throws {
        let (folder, ids) = try await spoiled(
            "CREATE TABLE later (x); INSERT INTO grdb_migrations VALUES ('v6')"
        )
        let problem = await #expect(throws: Problem.self) { try await folder.open() }
        #expect(problem?.detail.contains("newer version") == true)
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["\(ids.count)"])
    }

    @Test func `a statement that goes on without end is ended after its time`() throws {
        let file = try CatalogFile([FrameRow(1)])
        let begin = MonotonicTime.now()
        let problem = #expect(throws: Problem.self) {
            try file.catalog.read(asked: true) { database in
                try Int.fetchOne(database, sql: "\(Self.endless) SELECT count(*) FROM n")
            }
        }
        #expect(problem?.detail.contains("more than 5.0 seconds of processor time") == true)
        #expect(MonotonicTime.now() - begin >= StatementLimit.ordinary)
        // It is no damage where a client has asked for it, and the catalog works on.
        #expect(file.catalog.damage == nil)
        #expect(try file.catalog.totals()["door"]?.frames == 1)
    }
}
