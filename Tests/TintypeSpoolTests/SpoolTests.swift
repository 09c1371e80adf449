// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct SpoolTests {
    @Test(arguments: Durability.allCases)
    func `returns a stored picture byte for byte with its record`(_ durability: Durability) async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        let taken = still()
        let record = try await spool.store(taken, durability: durability, until: soon)
        let name = "door/2026/11/21/143012.345678Z-000001234.jpg"
        #expect(record.path == "\(folder.path)/\(name)")
        #expect(record.stored == (durability == .full ? .durable : .written))
        #expect(record.sha256 == (try shellOutput("sha256sum", "\(folder.path)/\(name)")).prefix(64).description)
        #expect((record.phasesMs?.store.duration ?? .zero) > .zero)
        #expect(try folder.bytes(name) == picture)
        #expect(try await spool.picture(of: record.id, until: soon) == picture)
        var found = try await spool.frame(record.id, until: soon).still
        found.phasesMs = record.phasesMs
        #expect(found == record)
        await spool.close(until: soon)
        let again = try await folder.open()
        #expect(try await again.frame(record.id, until: soon).still.path == record.path)
        #expect(try folder.names(in: ".incoming").isEmpty)
    }

    @Test func `files and folders have the configured mode despite the umask`() async throws {
        let folder = SpoolFolder()
        let configuration = SpoolStore.Configuration(folder: folder.path, folderMode: 0o777, fileMode: 0o666)
        let spool = try await SpoolStore.open(configuration)
        let path = try #require(try await spool.store(still(), durability: .none, until: soon).path)
        func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode(path) == 0o666)
        for name in ["", "/.incoming", "/door", "/door/2026", "/door/2026/11/21"] {
            #expect(try mode(folder.path + name) == 0o777)
        }
    }

    @Test func `unknown frames and missing files are not found`() async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        let record = try await spool.store(still(), durability: .none, until: soon)
        try folder.remove("door/2026/11/21/143012.345678Z-000001234.jpg")
        let gone = await #expect(throws: Problem.self) { try await spool.picture(of: record.id, until: soon) }
        #expect(gone?.code == .frameNotFound)
        #expect(gone?.detail.contains("its file is gone") == true)
        #expect(await problem { try await spool.frame(FrameID(at: noon), until: soon) }?.code == .frameNotFound)
    }

    @Test func `latest.jpg is never missing or partial while it is swapped`() async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        _ = try await spool.store(still(), durability: .none, until: soon)
        let reader = LinkReader("\(folder.path)/door/latest.jpg", whole: picture)
        var (number, last) = (0, "")
        // Continues until the reader had enough turns on a busy machine.
        while number < 200 || reader.reads < 50 {
            number += 1
            last = try #require(try await spool.store(still(number), durability: .none, until: soon).path)
        }
        #expect(reader.stop() == 0)
        #expect(try last == "\(folder.path)/door/\(folder.target())")
    }

    @Test func `a deadline in the past stores nothing`() async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        #expect(try await spool.refusal(until: past).code == .deadlineExceeded)
        await spool.close(until: soon)
        #expect(try folder.pictures().isEmpty)
        #expect(try folder.names(in: ".incoming").isEmpty)
    }
}
