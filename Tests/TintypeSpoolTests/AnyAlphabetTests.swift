// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Spools whose path has characters of several bytes, and names in them that have such, too.
@Suite struct AnyAlphabetTests {
    @Test(arguments: ["küche", "ku\u{308}che", "台所", "📷 1", "\u{301}a"])
    func `a spool of any name takes pictures, finds them again, and lets them go`(_ name: String) async throws {
        let folder = try SpoolFolder(named: name)
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
        // Rebuilt from the files, of which one is cut short.
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
    func `a link below a folder of any name is not followed`(_ name: String) throws {
        let (folder, other) = (try SpoolFolder(named: name), try SpoolFolder(named: name))
        try folder.write([1], to: "door/a")
        try other.write([2], to: "b")
        // A name that begins with a mark upon the character before it, which here is the slash.
        for link in ["ü", "\u{301}x"] {
            try folder.link("door/\(link)", to: other.path)
            let files = SystemFiles(root: folder.path, ownership: Ownership())
            #expect(throws: FileError.self) { try files.read("\(folder.path)/door/\(link)/b", atMost: 9) }
            #expect(throws: FileError.self) { try files.remove("\(folder.path)/door/\(link)/b") }
        }
        #expect(try other.bytes("b") == [2])
    }
}
