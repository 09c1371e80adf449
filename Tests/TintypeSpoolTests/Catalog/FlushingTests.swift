// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

@Suite struct FlushingTests {
    @Test func `flushes stills, tombstones, pins and losses to the catalog's log`() throws {
        let row = FrameRow(0)
        let file = try CatalogFile([row])
        let flushes = try LogFlushes(file.catalog)
        let changes: [(what: String, change: (Catalog) throws -> Void)] = [
            ("a still", { try $0.insert([FrameRow(-1)], isDurable: true, at: noon) }),
            ("a tombstone", { try $0.tombstones.add(over: [row], at: .now()) }),
            ("one that is taken away", { try $0.tombstones.remove(of: [row]) }),
            ("a pin", { _ = try $0.change([row.id], FrameEdit(pinned: true)) }),
            ("a loss", { _ = try $0.mark([row.path], isLost: true) }),
            ("a find", { _ = try $0.mark([row.path], isLost: false) }),
        ]
        for (number, (what, change)) in changes.enumerated() {
            let before = flushes.count
            try file.catalog.insert([FrameRow(number + 1)], isDurable: false, at: noon)
            #expect(flushes.count == before)
            try change(file.catalog)
            #expect(flushes.count > before, "\(what)")
        }
    }

    @Test func `an unshared catalog is exclusive and maps no shared memory`() throws {
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

    @Test(arguments: [true, false])
    func `a catalog of a later file format is found damaged when it is opened`(_ isShared: Bool) throws {
        let file = try CatalogFile([FrameRow(1)])
        try file.catalog.close()
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file.path)))
        // SQLite's "file format write version": a value above 2 is read-only.
        bytes[18] = 24
        try Data(bytes).write(to: URL(fileURLWithPath: file.path))
        let error = #expect(throws: CatalogConnection.OpeningError.self) {
            try Catalog(path: file.path, isShared: isShared, clock: .system, logger: .quiet)
        }
        #expect(error?.damage != nil)
    }
}
