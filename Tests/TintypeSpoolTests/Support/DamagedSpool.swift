// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// A spool whose catalog has one unreadable page, which shows only when that page is read.
enum DamagedSpool {
    static let count = 90

    /// Makes a closed spool with pictures, of which the second and the last but one are pinned and tagged, and a
    /// catalog with an unreadable page in the middle; returns the ids, and the id of a picture on that page.
    static func fill(_ folder: SpoolFolder) async throws -> (ids: [FrameID], broken: FrameID) {
        let spool = try await folder.open()
        let stills = (0..<count).map { still($0, tags: [1, count - 2].contains($0) ? ["alarm"] : nil) }
        let ids = try await spool.fill(stills).map(\.id)
        await spool.close(until: soon)
        try folder.sql("UPDATE frame SET pinned = 1 WHERE tags = 'alarm'; PRAGMA wal_checkpoint(TRUNCATE);")
        for name in ["catalog.sqlite-wal", "catalog.sqlite-shm"] { try? folder.remove(name) }
        var bytes = try folder.bytes("catalog.sqlite")
        // A damaged root or interior page would make all rows unreachable.
        let query = "SELECT pageno - 1 FROM dbstat WHERE name = 'frame' AND pagetype = 'leaf'"
        let leaves = try folder.sql(query).compactMap { Int($0) }
        func page(of id: FrameID) -> Int? {
            leaves.first { Data(bytes[$0 * 4096..<($0 + 1) * 4096]).range(of: Data(id.bytes)) != nil }
        }
        // Opening reads the page of the last row.
        let last = page(of: ids[count - 1])
        for id in ids[(count / 2)...] + ids[10..<(count / 2)].reversed() {
            guard let page = page(of: id), page != last else { continue }
            for offset in 0..<64 { bytes[page * 4096 + offset] = 0xA5 }
            try folder.write(bytes, to: "catalog.sqlite")
            return (ids, id)
        }
        Issue.record("no row is in a page of its own")
        return (ids, ids[0])
    }

    /// Expects rows for all pictures, the original pins and tags, and one catalog set aside.
    static func expectRebuilt(_ folder: SpoolFolder, _ ids: [FrameID], _ messages: MessageLog) throws {
        #expect(try folder.sql("SELECT count(*) FROM frame WHERE NOT isLost") == ["\(count)"])
        #expect(try folder.paths() == folder.pictures())
        #expect(try folder.ids(where: "pinned AND tags = 'alarm'") == [ids[1], ids[count - 2]])
        // Most rows were readable.
        let kept = Set(try folder.ids()).intersection(ids).count
        #expect((count / 2..<count).contains(kept), "\(kept)")
        try expectSetAside(folder, 1)
        #expect(messages.errors.count { $0.contains("set aside as") } == 1)
    }

    /// Expects this number of catalogs set aside and no work pending on them.
    static func expectSetAside(_ folder: SpoolFolder, _ count: Int, _ comment: Comment? = nil) throws {
        let names = try folder.names(in: "")
        #expect(names.count { $0.hasPrefix("catalog.sqlite.damaged-") && $0.hasSuffix("Z") } == count, comment)
        #expect(!names.contains(".catalog-damaged") && !names.contains(".catalog-salvage"), comment)
    }
}
