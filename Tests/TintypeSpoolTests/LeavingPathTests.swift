// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Catalogs with paths out of their spool.
@Suite struct LeavingPathTests {
    private static let paths = [
        "../outside.jpg", "door/../../outside.jpg", "door/away/outside.jpg", "door/link.jpg", "/etc/hostname",
        "door/" + String(repeating: "x", count: 5000) + ".jpg",
    ]

    private let folder = SpoolFolder()
    private let log = MessageLog()

    /// Makes a closed spool with two pictures, the row of the first with `path`, and a file outside; returns the
    /// records.
    @discardableResult
    private func filled(_ path: String) async throws -> [StillRecord] {
        let records = try await folder.filled(0...1, durability: .full)
        try folder.believeTimes()
        try folder.write([7], to: "../outside.jpg")
        try folder.link("door/away", to: "\(folder.path)/..")
        try folder.link("door/link.jpg", to: "\(folder.path)/../outside.jpg")
        try folder.sql("UPDATE frame SET path = '\(path)' WHERE id = \(records[0].id.sql)")
        return records
    }

    private func expectUntouched() throws {
        #expect(try folder.bytes("../outside.jpg") == [7])
        #expect(FileManager.default.fileExists(atPath: "/etc/hostname"))
    }

    @Test(arguments: paths)
    func `a row path out of the spool is neither served nor deleted`(_ path: String) async throws {
        let records = try await filled(path)
        let spool = try await SpoolStore.open(folder.configuration, logger: log.logger)
        // The spool may be unavailable for a moment before it detects the path.
        for _ in 0..<3 {
            let bytes = try? await spool.picture(of: records[0].id, until: soon)
            #expect(bytes == nil || bytes == picture)
        }
        _ = try await spool.delete(.ids([records[0].id]), until: soon)
        _ = try await spool.verify(until: soon)
        try expectUntouched()
        #expect(try await spool.picture(of: records[1].id, until: soon) == picture)
        let said = log.loud.map { "\($0.text) \($0.metadata)" }
        // Deleting a link removes the link itself.
        #expect(path == "door/link.jpg" || said.contains { $0.contains(path.prefix(60)) }, "\(said)")
        _ = try await spool.store(still(2), durability: .full, until: soon)
        await spool.close(until: soon)
        try expectUntouched()
    }

    @Test(arguments: paths)
    func `retention removes nothing outside the spool`(_ path: String) async throws {
        try await filled(path)
        let spool = try await folder.open(RetentionSettings(maxFrames: 1))
        _ = try await spool.retention(dryRun: false, at: clocks(.seconds(60)), until: soon)
        _ = try await spool.store(still(2), durability: .full, until: soon)
        try expectUntouched()
        #expect(try folder.sql("SELECT count(*) FROM frame WHERE NOT isLost") == ["1"])
    }

    @Test(arguments: paths)
    func `a tombstone of a path out of the spool removes nothing`(_ path: String) async throws {
        let records = try await filled(path)
        try folder.bury(where: "id = \(records[0].id.sql)")
        let spool = try await folder.open()
        try expectUntouched()
        #expect(try await spool.picture(of: records[1].id, until: soon) == picture)
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `does not follow a catalog file that is a link`(_ part: String) async throws {
        try await filled("door/2026/11/21/143012.345678Z-000001234.jpg")
        let target = "\(folder.path)/../elsewhere.sqlite\(part)"
        let name = "catalog.sqlite\(part)"
        if part.isEmpty {
            try FileManager.default.moveItem(atPath: "\(folder.path)/\(name)", toPath: target)
        } else {
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: target))
            try? folder.remove(name)
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: target))
        try folder.link(name, to: target)
        let spool = try await folder.open(logger: log.logger)
        #expect(log.errors.contains { $0.contains("set aside") }, "\(log.errors)")
        let record = try await spool.store(still(2), durability: .full, until: soon)
        #expect(try await spool.picture(of: record.id, until: soon) == picture)
        #expect(try folder.sql("SELECT count(*) FROM frame WHERE NOT isLost") == ["3"])
        await spool.close(until: soon)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == before)
        let kind = try SystemFiles().status(of: "\(folder.path)/catalog.sqlite", following: false)?.kind
        #expect(kind == .file)
        // The next start reports nothing.
        let again = MessageLog()
        try await folder.restart(logger: again.logger)
        #expect(again.errors.isEmpty, "\(again.errors)")
    }

    @Test(arguments: [".clock", ".catalog-clean", ".catalog-damaged", ".catalog-salvage", ".lock"])
    func `does not write its own files through a link`(_ name: String) async throws {
        try await filled("door/2026/11/21/143012.345678Z-000001234.jpg")
        try? folder.remove(name)
        try folder.link(name, to: "\(folder.path)/../outside.jpg")
        if let spool = try? await folder.open(RetentionSettings(maxAge: .seconds(86_400))) {
            _ = try await spool.retention(dryRun: false, at: clocks(.seconds(60)), until: soon)
            await spool.close(until: soon)
        }
        try expectUntouched()
    }

    @Test func `does not create a lock file through a link`() async throws {
        try folder.makeFolder()
        try folder.link(".lock", to: "../elsewhere.lock")
        let problem = await #expect(throws: Problem.self) { _ = try await folder.open() }
        #expect(problem?.code == .spoolUnavailable, "\(problem?.detail ?? "")")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/../elsewhere.lock"))
    }

    @Test func `repairs a latest.jpg that points out of the spool`() async throws {
        try await filled("door/2026/11/21/143012.345678Z-000001234.jpg")
        try folder.remove("door/latest.jpg")
        try folder.link("door/latest.jpg", to: "../../outside.jpg")
        _ = try await folder.open()
        #expect(try folder.target() == "2026/11/21/143013.345678Z-000001235.jpg")
    }
}
