// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Files that differ from the stored picture.
struct ServingTests {
    enum Damage: CaseIterable {
        case emptied, cut, lengthened, flipped, zeroed

        func applied(to bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            switch self {
            case .emptied: return []
            case .cut: return [UInt8](bytes.dropLast(20))
            case .lengthened: return bytes + [0]
            case .flipped: bytes[bytes.count / 2] ^= 1
            case .zeroed: return [UInt8](repeating: 0, count: bytes.count)
            }
            return bytes
        }
    }

    @Test(arguments: Damage.allCases)
    func `quarantines a modified picture until it is restored`(_ damage: Damage) async throws {
        let log = MessageLog()
        let (folder, spool) = try await SpoolFolder.opened(logger: log.logger)
        let ids = try await spool.fill(0...1, durability: .full).map(\.id)
        let damaged = damage.applied(to: picture)
        try folder.write(damaged, to: storedName(1))
        let wrong = try #require(await problem { try await spool.picture(of: ids[1], until: soon) })
        #expect(wrong.code == .corruptOnly)
        #expect(wrong.detail.contains("\(ids[1]) is not the picture that was stored: "), "\(wrong)")
        #expect(wrong.remedy.contains("frames verify"))
        #expect(await problem { try await spool.picture(of: ids[1], until: soon) }?.code == .frameNotFound)
        #expect(try folder.bytes(".quarantine/door-2026-11-21-143013.345678Z-000001235.jpg") == damaged)
        #expect(try folder.sql("SELECT \(idText) FROM frame WHERE isLost") == [ids[1].description])
        #expect(log.warnings.contains { $0.contains("moved to \(folder.path)/.quarantine") })
        #expect(try await spool.picture(of: ids[0], until: soon) == picture)
        // latest.jpg pointed to the damaged picture.
        #expect(try folder.bytes("door/latest.jpg") == picture)
        try folder.write(picture, to: storedName(1))
        #expect(try await spool.verify(until: soon).found == 1)
        #expect(try await spool.picture(of: ids[1], until: soon) == picture)
    }

    @Test(arguments: [Damage.emptied, .zeroed])
    func `does not serve an unflushed still damaged by a power cut`(_ damage: Damage) async throws {
        let folder = SpoolFolder()
        let id = try await folder.filled([0])[0].id
        try folder.write(damage.applied(to: picture), to: storedName())
        // Opened without reconciliation.
        let spool = try await SpoolStore.open(folder.configuration)
        #expect(await problem { try await spool.picture(of: id, until: soon) }?.code == .corruptOnly)
    }

    @Test(arguments: [EPERM, EXDEV])
    func `a modified picture that cannot be moved fails every request`(_ code: Int32) async throws {
        let files = FaultyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        let id = try await spool.store(still(), durability: .full, until: soon).id
        try folder.write(Damage.flipped.applied(to: picture), to: storedName())
        files.refuse { $0.contains("/2026/") ? code : nil }
        for _ in 0..<2 {
            #expect(await problem { try await spool.picture(of: id, until: soon) }?.code == .corruptOnly)
        }
        #expect(spool.state == .available)
    }

    @Test(arguments: ["folder", "pipe", "link"])
    func `does not read a folder, pipe or link in place of a picture`(_ kind: String) async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        let id = try await spool.store(still(), durability: .full, until: soon).id
        try folder.remove(storedName())
        try folder.write(picture, to: "../outside.jpg")
        switch kind {
        case "folder": try folder.makeFolder(storedName())
        case "pipe": try shellOutput("mkfifo", "\(folder.path)/\(storedName())")
        default: try folder.link(storedName(), to: "\(folder.path)/../outside.jpg")
        }
        #expect(await problem { try await spool.picture(of: id, until: soon) }?.code == .frameNotFound)
        let report = try await spool.verify(deep: true, until: soon)
        #expect(report.lost == 1 && report.damaged == [])
        #expect(try await spool.store(still(1), durability: .full, until: soon).path != nil)
    }
}
