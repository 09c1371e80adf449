// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct OlderCatalogTests {
    @Test func `a catalog of an older version is set aside, and its pins, tags and tombstones are taken over`()
        async throws
    {
        let folder = try SpoolFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../Spool/catalog-v3.sql"
        try shellOutput("sqlite3", "\(folder.path)/catalog.sqlite", ".read \(path)")
        // Older than 30 days they are forgotten.
        try shellOutput(
            "sqlite3",
            "\(folder.path)/catalog.sqlite",
            "UPDATE tombstone SET deletedAt = strftime('%s', 'now') * 1000000"
        )
        let before = try folder.sql("SELECT id FROM frame ORDER BY id")
        let messages = MessageLog()
        let spool = try await Spool.open(folder.configuration, logger: messages.logger, until: soon)
        #expect(messages.errors.count == 1, "\(messages.errors)")
        _ = try await spool.verify(until: soon)
        let frames = try await spool.frames(FrameQuery(order: .oldest, limit: 9), until: soon).frames
        #expect(before.count == 3 && frames.map(\.still.id.description) == before)
        #expect(frames.map { $0.still.tags?.first } == ["night", "night", nil])
        #expect(frames.map(\.pinned) == [true, false, false])
        await spool.close(until: soon)
        #expect(try folder.sql("SELECT \(idText) FROM frame ORDER BY number") == before)
        #expect(try folder.sql("SELECT count(*) FROM tombstone") == ["1"])
        #expect(try folder.names(in: "").contains { $0.hasPrefix("catalog.sqlite.damaged-") })
    }
}
