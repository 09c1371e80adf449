// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel
import TintypeSystem

@testable internal import TintypeSpool

@Suite struct TombstoneTests {
    @Test func `finds a tombstone by its path until it is removed`() throws {
        let rows = (0..<3).map { FrameRow($0) }
        let file = try CatalogFile(rows)
        let before = Timestamp.now()
        try file.catalog.tombstones.add(over: [rows[0], rows[1]], at: .now())
        let tombstone = try #require(try file.catalog.tombstones.at(rows[0].path))
        #expect(tombstone.id == rows[0].id && tombstone.sha256 == rows[0].sha256)
        #expect((before...Timestamp.now()).contains(tombstone.deletedAt))
        #expect(try file.catalog.tombstones.at(rows[1].path) != nil)
        #expect(try file.catalog.tombstones.at(rows[2].path) == nil)
        #expect(try file.catalog.tombstones.rows(limit: 9).map(\.id) == [rows[0].id, rows[1].id])
        try file.catalog.remove([rows[0]])
        #expect(try file.catalog.tombstones.rows(limit: 9).map(\.id) == [rows[1].id])
        #expect(
            try file.catalog.tombstones.isTaken(path: rows[0].path)
                && file.catalog.tombstones.isTaken(path: rows[2].path)
        )
        #expect(try file.catalog.tombstones.forget(before: before) == 0)
        #expect(try file.catalog.tombstones.forget(before: Timestamp(microseconds: .max)) == 2)
        #expect(
            try !file.catalog.tombstones.isTaken(path: rows[0].path)
                && file.catalog.tombstones.isTaken(path: rows[1].path)
        )
    }

    private static let day: Int64 = 86_400_000_000

    /// Adds a tombstone of this age in days for a path.
    private func addTombstone(_ name: String, _ days: Int64, in folder: SpoolFolder, sha256: String? = nil) throws {
        let time = Timestamp(microseconds: Timestamp.now().microseconds - days * Self.day)
        let digest = sha256.map { "x'\($0)'" } ?? "zeroblob(32)"
        let values = "'\(name)', \(FrameID(at: time).sql), \(time.microseconds), \(digest)"
        try folder.sql("INSERT INTO tombstone VALUES (\(values))")
    }

    @Test func `a doubtful clock expires no tombstones`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: .seconds(365 * 86_400)))
        _ = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        let stepped = clocks(.seconds(60), step: .seconds(365 * 86_400))
        #expect(try await spool.retention(dryRun: false, at: stepped, until: soon).withheld != nil)
        for days in [29, 31, 400] as [Int64] { try addTombstone("door/\(days).jpg", days, in: folder) }
        _ = try await spool.verify(until: soon)
        #expect(try await spool.retention(dryRun: false, at: stepped, until: soon).withheld != nil)
        #expect(try folder.sql("SELECT count(*) FROM tombstone") == ["3"])
        let name = "door/2025/01/02/030405.000006Z-000000007.jpg"
        try addTombstone(name, 390, in: folder, sha256: SHA256.text(picture))
        try folder.write(picture, to: name)
        let report = try await spool.verify(until: soon)
        #expect(report.removed == 1 && report.takenIn == 0)
    }
}
