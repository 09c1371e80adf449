// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// What is done for a still one after the other: whatever ends the daemon or the power in between finds what can be made
/// good.
@Suite struct StoringOrderTests {
    private let folder = SpoolFolder()

    @Test(
        arguments: [
            (.none, ["write", "rename", "latest of 1233 1234"]),
            (.data, ["write", "flush", "rename", "latest of 1233 1234"]),
            (.full, ["write", "flush", "rename", "flush its folder beside 1233", "latest of 1233 1234"]),
        ] as [(Durability, [String])]
    )
    func `bytes, name, folder, row, latest: in this order`(_ durability: Durability, _ steps: [String]) async throws {
        let files = NotedFiles(folder.path)
        let spool = try await folder.open(files: files)
        // With this one all folders are there, and flushed.
        _ = try await spool.store(still(-1), durability: .full, until: soon)
        files.note()
        _ = try await spool.store(still(), durability: durability, until: soon)
        #expect(files.steps == steps && files.flushed.isEmpty == (durability != .full))
    }

    @Test func `the names of a new spool and of new folders are flushed, each in the folder that it is in`()
        async throws
    {
        let files = NotedFiles(folder.path)
        let spool = try await folder.open(files: files)
        #expect(files.flushed.contains(URL(filePath: folder.path).deletingLastPathComponent().path))
        files.note()
        _ = try await spool.store(still(), durability: .full, until: soon)
        let folders = ["", "/door", "/door/2026", "/door/2026/11", "/door/2026/11/21"].map { folder.path + $0 }
        #expect(files.flushed == folders)
    }

    @Test func `the rows of durable stills are flushed, alone and together, whatever came before them`() async throws {
        let files = NotedFiles()
        let spool = try await folder.open(files: files)
        let flushes = try await spool.perform("be watched", until: soon) { storage throws(Problem) in
            try LogFlushes(storage.catalog)
        }
        for durability in [Durability.none, .data] {
            _ = try await spool.store(still(500), durability: durability, until: soon)
            #expect(flushes.count == 0)
        }
        _ = try await spool.store(still(501), durability: .full, until: soon)
        let alone = flushes.count
        #expect(alone > 0)
        _ = try await spool.store(still(502), durability: .none, until: soon)
        #expect(flushes.count == alone)
        files.hold()
        try await spool.fillAtOnce(0..<6) {
            try await eventually("all are written") { files.pictureFlushes == 6 }
            files.release()
        }
        #expect(flushes.count > alone)
    }
}
