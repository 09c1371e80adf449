// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct FlushingTests {
    // 2 is FULL: each commit is flushed; 1 is NORMAL.
    @Test func `deletions, changes and what a comparison finds are flushed, whatever was written before them`() throws {
        let file = try CatalogFile()
        let rows = (0..<8).map { FrameRow($0) }
        let changes: [(what: String, change: (Catalog, FrameRow) throws -> Void)] = [
            ("a tombstone", { try $0.addTombstones(over: [$1]) }),
            ("one that is taken away", { try $0.removeTombstones(of: [$1]) }),
            ("a pin", { _ = try $0.change([$1.id], FrameEdit(pinned: true)) }),
            ("a loss", { _ = try $0.mark([$1.path], isLost: true) }),
            ("a find", { _ = try $0.mark([$1.path], isLost: false) }),
        ]
        for (row, (what, change)) in zip(rows, changes) {
            try file.catalog.insert([row], isDurable: false, at: noon)
            #expect(try file.synchronous == 1)
            try change(file.catalog, row)
            #expect(try file.synchronous == 2, "\(what)")
        }
    }

    @Test func `where it is not shared no file is mapped, and nobody else reads it`() throws {
        let file = try CatalogFile(isShared: false)
        try file.catalog.insert([FrameRow(1)], isDurable: true, at: noon)
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        #expect(!maps.contains(file.path + "-shm"))
        #expect(throws: (any Error).self) {
            try shellOutput("sqlite3", "file:\(file.path)?mode=ro", "SELECT count(*) FROM frame")
        }
        try file.catalog.close()
        #expect(try shellOutput("sqlite3", file.path, "SELECT count(*) FROM frame") == "1\n")
    }
}

extension CatalogFile {
    fileprivate var synchronous: Int? {
        get throws { try catalog.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } }
    }
}
