// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// What is done for a still one after the other: whatever ends the daemon or the power in between finds what can be made
/// good.
@Suite struct StoringOrderTests {
    @Test(
        arguments: [
            (.none, ["write", "rename", "latest of 1233 1234"]),
            (.data, ["write", "flush", "rename", "latest of 1233 1234"]),
            (.full, ["write", "flush", "rename", "flush its folder beside 1233", "latest of 1233 1234"]),
        ] as [(Durability, [String])]
    )
    func `bytes, name, folder, row, latest: in this order`(_ durability: Durability, _ steps: [String]) async throws {
        let folder = try SpoolFolder()
        let files = NotedFiles(folder.path)
        let spool = try await folder.open(files)
        // With this one all folders are there, and flushed.
        _ = try await spool.store(still(-1), durability: .full, until: soon)
        files.note()
        _ = try await spool.store(still(), durability: durability, until: soon)
        #expect(files.steps == steps && files.flushed.isEmpty == (durability != .full))
    }

    @Test func `the names of a new spool and of new folders are flushed, each in the folder that it is in`()
        async throws
    {
        let folder = try SpoolFolder()
        let files = NotedFiles(folder.path)
        let spool = try await folder.open(files)
        #expect(files.flushed.contains(URL(filePath: folder.path).deletingLastPathComponent().path))
        files.note()
        _ = try await spool.store(still(), durability: .full, until: soon)
        let folders = ["", "/door", "/door/2026", "/door/2026/11", "/door/2026/11/21"].map { folder.path + $0 }
        #expect(files.flushed == folders)
    }

    @Test func `the rows of durable stills are flushed, alone and together, whatever came before them`() async throws {
        let files = NotedFiles()
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        // 2 is FULL: each commit is flushed; 1 is NORMAL.
        func synchronous() async throws -> Int? {
            try await spool.perform("look", until: soon) { storage throws(Problem) in
                try storage.catalog.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
            }
        }
        for durability in [Durability.none, .data] {
            _ = try await spool.store(still(500), durability: durability, until: soon)
            #expect(try await synchronous() == 1)
        }
        _ = try await spool.store(still(501), durability: .full, until: soon)
        #expect(try await synchronous() == 2)
        files.hold()
        try await spool.fillAtOnce(0..<6) {
            try await eventually("all are written") { files.pictureFlushes == 6 }
            files.release()
        }
        #expect(try await synchronous() == 2)
    }
}
