// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Data restored from a catalog that was set aside.
@Suite struct TakingOverTests {
    private static func numbered(_ row: FrameRow) -> FrameRow {
        var row = row
        row.number = 7
        return row
    }

    private func pins(_ file: CatalogFile) throws -> [String] {
        let query = "SELECT path || ' ' || ifnull(tags, '') FROM frame WHERE pinned ORDER BY id"
        return try file.catalog.connection.read { try String.fetchAll($0, sql: query) }
    }

    @Test func `restores pins and tags of pictures added in the meantime`() throws {
        let old = [
            FrameRow(0, tags: ["alarm"], isPinned: true), FrameRow(1, tags: ["cat"], isPinned: true),
            FrameRow(2, isPinned: true), FrameRow(3, tags: ["dog"], isPinned: true),
        ]
        // The first has another id, the second another path, the third other contents under the same name, and the last
        // new tags.
        var new = [FrameRow(0), old[1], FrameRow(2), old[3]]
        new[1].path = "door/moved.jpg"
        new[2].sha256 = otherChecksum
        new[3].tags = ["bird"]
        for index in [1, 3] { new[index].isPinned = false }
        new[1].tags = nil
        let file = try CatalogFile(new)
        #expect(try CatalogSalvage.Part(frames: old.map(Self.numbered)).merge(into: file.catalog) == 3)
        #expect(try pins(file) == ["door/0-0.jpg alarm", "door/moved.jpg cat", "door/3-0.jpg bird"])
        #expect(try file.catalog.totals()["door"]?.frames == 4)
        let pinned = FrameQuery(filter: .is(.pinned(true)), order: .oldest, limit: 10)
        #expect(try file.catalog.lists.page(pinned).rows.count == 3)
    }

    @Test func `deleted pictures stay deleted`() throws {
        let rows = (0..<4).map { FrameRow($0, isPinned: true) }
        func tombstone(_ number: Int) -> Tombstone {
            Tombstone(path: rows[number].path, id: rows[number].id, deletedAt: .now(), sha256: rows[number].sha256)
        }
        let file = try CatalogFile([rows[0]])
        // Deleted after the catalog was set aside; the second one had another id.
        var again = FrameRow(1)
        again.path = rows[1].path
        try file.catalog.insert([again], isDurable: false, at: noon)
        try file.catalog.tombstones.add(over: [rows[0], again], at: .now())
        try file.catalog.remove([rows[0], again])
        // Deleted before.
        #expect(try CatalogSalvage.Part(tombstones: [tombstone(2)]).merge(into: file.catalog) == 0)
        #expect(try CatalogSalvage.Part(frames: rows.map(Self.numbered)).merge(into: file.catalog) == 1)
        #expect(try pins(file) == ["door/3-0.jpg "])
        for row in rows.prefix(3) { #expect(try file.catalog.tombstones.at(row.path)?.sha256 == row.sha256) }
    }

    @Test func `adds no tombstone for an existing picture`() throws {
        let rows = [FrameRow(0), FrameRow(1)]
        let file = try CatalogFile(rows)
        let first = Tombstone(path: rows[0].path, id: FrameRow(5).id, deletedAt: .now(), sha256: otherChecksum)
        let second = Tombstone(path: "door/elsewhere.jpg", id: rows[1].id, deletedAt: .now(), sha256: checksum)
        _ = try CatalogSalvage.Part(tombstones: [first, second]).merge(into: file.catalog)
        #expect(try file.catalog.tombstones.rows(limit: 9).isEmpty)
        #expect(try file.catalog.tombstones.at("door/elsewhere.jpg") == nil)
    }
}

private let otherChecksum = String(repeating: "1", count: 64)
