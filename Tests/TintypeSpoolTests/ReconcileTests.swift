// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct ReconcileTests {
    private let folder = SpoolFolder()

    @Test func `quarantines a picture truncated by a power cut`() async throws {
        let spool = try await folder.open()
        _ = try await spool.store(still(), durability: .none, until: soon)
        await spool.close(until: soon)
        try folder.write([], to: "door/2026/11/21/143012.345678Z-000001234.jpg")
        _ = try await folder.open()
        #expect(try folder.paths(where: "NOT isLost").isEmpty)
        #expect(try folder.pictures().isEmpty)
        #expect(try folder.names(in: ".quarantine").count == 1)
        #expect(throws: (any Error).self) { try folder.target() }
    }

    enum Damage: CaseIterable {
        case garbage, truncated, readOnlyHeader, middle
    }

    @Test(arguments: Damage.allCases)
    func `rebuilds a damaged catalog from the files`(_ damage: Damage) async throws {
        try await folder.filled(0..<40)
        var bytes = try folder.bytes("catalog.sqlite")
        switch damage {
        case .garbage: bytes = [UInt8](repeating: 0x5A, count: 20_000)
        case .truncated: bytes = Array(bytes.prefix(20_000))
        // "File format version numbers" of SQLite's file format: a value above 2 is of a later version and read-only.
        case .readOnlyHeader: bytes[18] = 24
        case .middle: for index in 4096..<bytes.count where index % 4096 < 512 { bytes[index] = 0xA5 }
        }
        try folder.write(bytes, to: "catalog.sqlite")
        let messages = MessageLog()
        let again = try await folder.open(logger: messages.logger)
        #expect(try folder.paths(where: "NOT isLost").count == 40)
        let aside = try folder.names(in: "").filter { $0.hasPrefix("catalog.sqlite.damaged-") && !$0.hasSuffix("-wal") }
        #expect(aside.count == 1 && messages.errors.count == 1)
        _ = try await again.store(still(50), durability: .full, until: soon)
        await again.close(until: soon)
        _ = try await folder.open()
        #expect(try folder.paths(where: "NOT isLost").count == 41)
    }

    @Test func `rejects a catalog of a newer version`() async throws {
        try await folder.restart()
        try folder.sql("CREATE TABLE later (x); INSERT INTO grdb_migrations VALUES ('v\(CatalogSchema.version + 1)')")
        let problem = await #expect(throws: Problem.self) { try await folder.open() }
        #expect(problem?.code == .spoolUnavailable)
        #expect(problem?.detail.contains("newer version") == true)
        #expect(try folder.names(in: "").allSatisfy { !$0.contains("damaged") })
    }

    @Test func `quarantine never overwrites a file`() async throws {
        let spool = try await folder.open()
        let name = "yard/2025/01/02/030406.000006Z-000000008.jpg"
        let torn = [20, 30, 40].map { [UInt8](picture.dropLast($0)) }
        for bytes in torn {
            try folder.write(bytes, to: name)
            #expect(try await spool.verify(until: soon).quarantined == 1)
        }
        let kept = name.replacingOccurrences(of: "/", with: "-")
        #expect(try folder.names(in: ".quarantine") == [kept, "\(kept)-2", "\(kept)-3"])
        for (bytes, end) in zip(torn, ["", "-2", "-3"]) {
            #expect(try folder.bytes(".quarantine/\(kept)\(end)") == bytes)
        }
    }

    @Test func `leaves foreign files in place`() async throws {
        let names = ["door/2026/11/21/notes.txt", "door/2026/11/21/holiday.jpg", "README", "door/mine/a.jpg"]
        for name in names { try folder.write([1, 2, 3], to: name) }
        _ = try await folder.open()
        for name in names { #expect(try folder.bytes(name) == [1, 2, 3]) }
        #expect(try folder.paths(where: "NOT isLost").isEmpty)
    }

    @Test(arguments: ["usb", "door/usb"])
    func `ignores pictures of a nested spool`(_ place: String) async throws {
        let outer = try await folder.open()
        let own = try await outer.store(still(0), durability: .full, until: soon)
        let inside = SpoolStore.Configuration(folder: "\(folder.path)/\(place)")
        let inner = try await folder.open(inside)
        _ = try await inner.store(still(1), durability: .full, until: soon)
        let report = try await outer.verify(until: soon)
        #expect(report.takenIn == 0 && report.quarantined == 0)
        #expect(try await outer.ids() == [own.id])
        #expect(try await inner.verify(until: soon).lost == 0)
    }
}
