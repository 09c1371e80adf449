// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct TombstoneTests {
    @Test func `a tombstone is found by its path until it is forgotten`() throws {
        let rows = (0..<3).map { FrameRow($0) }
        let file = try CatalogFile(rows)
        let before = Timestamp.now()
        try file.catalog.addTombstones(over: [rows[0], rows[1]])
        let tombstone = try #require(try file.catalog.tombstone(at: rows[0].path))
        #expect(tombstone.id == rows[0].id && tombstone.sha256 == rows[0].sha256)
        #expect((before...Timestamp.now()).contains(tombstone.deletedAt))
        #expect(try file.catalog.tombstone(at: rows[1].path) != nil)
        #expect(try file.catalog.tombstone(at: rows[2].path) == nil)
        #expect(try file.catalog.rowsUnderTombstones(limit: 9).map(\.id) == [rows[0].id, rows[1].id])
        try file.catalog.remove([rows[0]])
        #expect(try file.catalog.rowsUnderTombstones(limit: 9).map(\.id) == [rows[1].id])
        #expect(try file.catalog.isTaken(path: rows[0].path) && file.catalog.isTaken(path: rows[2].path))
        #expect(try file.catalog.forgetTombstones(before: before) == 0)
        #expect(try file.catalog.forgetTombstones(before: Timestamp(microseconds: .max)) == 2)
        #expect(try !file.catalog.isTaken(path: rows[0].path) && file.catalog.isTaken(path: rows[1].path))
    }
}
