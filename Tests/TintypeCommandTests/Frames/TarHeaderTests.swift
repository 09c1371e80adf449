// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import tintype

/// Archives of ours as GNU tar and Python read them.
struct TarHeaderTests {
    /// What tarfile says of an archive: name, size, time, mode and content of each member.
    private static let reader = """
        import json, sys, tarfile
        with tarfile.open(sys.argv[1], "r:") as archive:
            print(json.dumps([
                [m.name, m.size, m.mtime, m.mode, m.isreg(), archive.extractfile(m).read().decode()]
                for m in archive
            ]))
        """

    private static let names = [
        "a.jpg", "front/2026/11/21/143012.345678Z-000001234.jpg", String(repeating: "n", count: 100),
        String(repeating: "p", count: 150) + "/" + String(repeating: "n", count: 100),
        String(repeating: "p", count: 155) + "/" + String(repeating: "n", count: 100),
        // Neither fits ustar.
        String(repeating: "p", count: 156) + "/" + String(repeating: "n", count: 100),
        String(repeating: "n", count: 101), "ä/€.jpg", (0..<60).map { "folder-\($0)" }.joined(separator: "/"),
        String(repeating: "x/", count: 450) + "y",
    ]

    @Test func `every name comes back as it was, with time, size and content`() async throws {
        let folder = "/tmp/tintype-\(UUID().uuidString.prefix(13))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let time = Timestamp(microseconds: 1_700_000_000_900_000)
        var archive: [UInt8] = []
        for (index, name) in Self.names.enumerated() {
            let content = [UInt8](repeating: 0x41 + UInt8(index), count: index * 256)
            archive += TarHeader(name: name, size: content.count, modified: time).blocks
            archive += content + TarHeader.padding(after: content.count)
        }
        archive += TarHeader.end
        #expect(archive.count % TarHeader.blockSize == 0)
        try Data(archive).write(to: URL(filePath: "\(folder)/a.tar"))
        let command = BuiltCommand(folder: folder, socket: "none")
        try Self.reader.write(toFile: "\(folder)/read.py", atomically: true, encoding: .utf8)
        let read = try await command.shell("python3 read.py a.tar")
        #expect(read.status == 0, "\(read.errors)")
        let members = try #require(try JSONSerialization.jsonObject(with: Data(read.output)) as? [[Any]])
        #expect(members.compactMap { $0[0] as? String } == Self.names)
        #expect(members.compactMap { $0[1] as? Int } == Self.names.indices.map { $0 * 256 })
        #expect(members.allSatisfy { ($0[2] as? Int) == 1_700_000_000 && ($0[3] as? Int) == 0o644 })
        #expect(members.allSatisfy { ($0[4] as? Bool) == true })
        #expect((members.last?[5] as? String)?.hasPrefix("JJJ") == true)
        let tar = try await command.shell("tar -tf a.tar --quoting-style=literal && mkdir out && tar -xf a.tar -C out")
        #expect(tar.status == 0, "\(tar.errors)")
        #expect(tar.text == Self.names.map { $0 + "\n" }.joined())
    }
}
