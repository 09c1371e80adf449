// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Names of spools and pictures in every pattern and script.
@Suite struct NamingTests {
    private let folder = SpoolFolder()

    private func open(_ pattern: String) async throws -> SpoolStore {
        var configuration = folder.configuration
        configuration.names = try FileNames(pattern)
        return try await SpoolStore.open(configuration)
    }

    @Test func `numbers pictures with equal names`() async throws {
        let spool = try await open("%Y")
        for number in 0..<12 {
            let bytes = picture + [UInt8](repeating: 0, count: number)
            let path = try await spool.store(still(number, picture: bytes), durability: .none, until: soon).path
            #expect(path == "\(folder.path)/door/2026\(number == 0 ? "" : "-\(number + 1)").jpg")
        }
        #expect(try folder.pictures().count == 12)
        for number in 0..<12 {
            let name = number == 0 ? "door/2026.jpg" : "door/2026-\(number + 1).jpg"
            #expect(try folder.bytes(name).count == picture.count + number)
        }
    }

    @Test func `does not overwrite a foreign file of the same name`() async throws {
        let spool = try await open("%Y")
        try folder.write([1, 2, 3], to: "door/2026.jpg")
        try folder.makeFolder("door/2026-2.jpg")
        let record = try await spool.store(still(), durability: .full, until: soon)
        #expect(record.path == "\(folder.path)/door/2026-3.jpg")
        #expect(try folder.bytes("door/2026.jpg") == [1, 2, 3])
    }

    @Test func `does not reuse the name of a row whose file is gone`() async throws {
        let spool = try await open("%Y")
        let other = try await spool.store(still(), durability: .none, until: soon)
        try folder.sql("UPDATE frame SET path = 'door/2027.jpg'")
        let year = 365 * 86_400
        let stored = try await spool.fillAtOnce(year..<year + 2)
        #expect(Set(stored.compactMap(\.path)) == ["\(folder.path)/door/2027-2.jpg", "\(folder.path)/door/2027-3.jpg"])
        for record in stored { #expect(try await spool.picture(of: record.id, until: soon) == picture) }
        #expect(try await spool.frame(other.id, until: soon).still.path == "\(folder.path)/door/2027.jpg")
        #expect(try folder.bytes("door/latest.jpg") == picture)
    }

    @Test func `a pattern without folders stores pictures beside latest.jpg`() async throws {
        let spool = try await open("{camera}-%s.%f-{id}")
        let record = try await spool.store(still(), durability: .full, until: soon)
        #expect(try folder.names(in: "door") == ["door-1795271412.345678-\(record.id).jpg", "latest.jpg"])
        await spool.close(until: soon)
        try folder.remove("catalog.sqlite")
        let again = try await open("{camera}-%s.%f-{id}")
        _ = try await again.verify(until: soon)
        #expect(try await again.frame(record.id, until: soon).still.capturedAt == noon)
    }

    @Test(arguments: ["door", "door/2026", "door/2026/11/21"])
    func `stores nothing through a folder replaced by a link`(_ name: String) async throws {
        let other = SpoolFolder()
        let spool = try await folder.open()
        _ = try await spool.store(still(), durability: .none, until: soon)
        for inner in ["2026/11/21", "11/21"] { try other.makeFolder(inner) }
        let before = try FileManager.default.subpathsOfDirectory(atPath: other.path).sorted()
        // The spool remembers the folder and does not check it again.
        try folder.remove(name)
        try folder.link(name, to: other.path)
        let problem = try await spool.refusal(of: still(1))
        #expect(problem.code == .spoolUnavailable)
        #expect(problem.detail.contains("not a directory"), "\(problem)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: other.path).sorted() == before)
        #expect(try folder.names(in: ".incoming").isEmpty)
        try folder.remove(name)
        let record = try await spool.store(still(2), durability: .full, until: soon)
        #expect(try await spool.picture(of: record.id, until: soon) == picture)
    }

    @Test func `bounds the number of remembered folders`() async throws {
        let spool = try await folder.open()
        let counts = try await spool.storage.perform("be filled", until: soon) { spool throws(Problem) in
            var counts: [Int] = []
            for number in 0..<1100 {
                try asProblem(try spool.tree.createFolders(["door", "door/\(number)"]))
                counts.append(spool.tree.made.count)
            }
            return counts
        }
        #expect(counts.allSatisfy { $0 <= 1026 })
        #expect(try folder.names(in: "door").count == 1100)
    }

    @Test(arguments: ["küche", "ku\u{308}che", "台所", "📷 1", "\u{301}a"])
    func `a spool with Unicode names stores, rebuilds and expires pictures`(_ name: String) async throws {
        let folder = SpoolFolder(named: name)
        var configuration = folder.configuration
        configuration.names = try FileNames("Tür/%Y/größe-台/%Y%m%dT%H%M%SZ-é-{sequence}")
        let spool = try await folder.open(configuration)
        for record in try await spool.fill(0..<4, durability: .full) {
            #expect(try await spool.picture(of: record.id, until: soon) == picture)
        }
        #expect(try folder.bytes("door/latest.jpg") == picture)
        await spool.close(until: soon)
        func path(_ number: Int) -> String {
            "door/Tür/2026/größe-台/20261121T14301\(2 + number)Z-é-00000\(1234 + number).jpg"
        }
        #expect(try folder.pictures() == (0..<4).map(path))
        // Rebuilds from the files, one of them truncated.
        for name in try folder.names(in: "") where name.hasPrefix("catalog.sqlite") { try folder.remove(name) }
        try folder.write([UInt8](picture.dropLast(20)), to: path(3))
        configuration.retention = RetentionSettings(maxFrames: 2)
        let again = try await folder.open(configuration)
        #expect(try folder.paths() == (0..<3).map(path))
        #expect(try folder.names(in: ".quarantine") == [path(3).replacing("/", with: "-")])
        #expect(try await again.retention(dryRun: false, until: soon).frames == 1)
        #expect(try folder.pictures() == [path(1), path(2)])
        #expect(try folder.bytes("door/latest.jpg") == picture)
    }

    @Test(arguments: ["spool", "küche"])
    func `does not follow a link with a Unicode name`(_ name: String) throws {
        let (folder, other) = (SpoolFolder(named: name), SpoolFolder(named: name))
        try folder.write([1], to: "door/a")
        try other.write([2], to: "b")
        // A name that begins with a combining mark, which would combine with the slash.
        for link in ["ü", "\u{301}x"] {
            try folder.link("door/\(link)", to: other.path)
            let files = SystemFiles(root: folder.path, ownership: Ownership())
            #expect(throws: FileError.self) { try files.read("\(folder.path)/door/\(link)/b", atMost: 9) }
            #expect(throws: FileError.self) { try files.remove("\(folder.path)/door/\(link)/b") }
        }
        #expect(try other.bytes("b") == [2])
    }
}
