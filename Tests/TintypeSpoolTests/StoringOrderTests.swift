// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// The order of steps of storing a still: each interruption by a kill or a power cut must be recoverable.
@Suite struct StoringOrderTests {
    private let folder = SpoolFolder()

    @Test(
        arguments: [
            (.none, ["write", "rename", "latest of 1233 1234"]),
            (.data, ["write", "flush", "rename", "latest of 1233 1234"]),
            (.full, ["write", "flush", "rename", "flush its folder beside 1233", "latest of 1233 1234"]),
        ] as [(Durability, [String])]
    )
    func `stores bytes, name, folder, row and link in order`(_ durability: Durability, _ steps: [String]) async throws {
        let files = NotedFiles(folder.path)
        let spool = try await folder.open(files: files)
        // Creates and flushes all folders.
        _ = try await spool.store(still(-1), durability: .full, until: soon)
        files.note()
        _ = try await spool.store(still(), durability: durability, until: soon)
        #expect(files.steps == steps && files.flushed.isEmpty == (durability != .full))
    }

    @Test func `flushes the parent of each new folder`() async throws {
        let files = NotedFiles(folder.path)
        let spool = try await folder.open(files: files)
        #expect(files.flushed.contains(URL(filePath: folder.path).deletingLastPathComponent().path))
        files.note()
        _ = try await spool.store(still(), durability: .full, until: soon)
        let folders = ["", "/door", "/door/2026", "/door/2026/11", "/door/2026/11/21"].map { folder.path + $0 }
        #expect(files.flushed == folders)
    }

    @Test func `flushes only the rows of durable stills`() async throws {
        let files = NotedFiles()
        let spool = try await folder.open(files: files)
        let flushes = try await spool.storage.perform("be watched", until: soon) { spool throws(Problem) in
            try LogFlushes(spool.catalog)
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
