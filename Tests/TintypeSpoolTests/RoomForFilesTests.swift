// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Disks that refuse another file in spite of their free bytes: without inodes, or at a quota.
@Suite struct RoomForFilesTests {
    private static let rules = RetentionSettings(minFree: 1 << 20)
    private let folder = SpoolFolder()

    /// Files on a disk that holds this number of files, folders and links.
    private final class QuotaFiles: FileLayer {
        let files = SystemFiles()
        private let root: String
        private let limit: Int
        private let code: Int32

        init(_ root: String, _ limit: Int, _ code: Int32) { (self.root, self.limit, self.code) = (root, limit, code) }

        func begin(_ call: FileCall) throws(FileError) {
            guard ["create", "make the link"].contains(call.verb) else { return }
            let count = (try? FileManager.default.subpathsOfDirectory(atPath: root).count) ?? 0
            if count >= limit { throw call.failure(code) }
        }
    }

    @Test(arguments: 34..<38, [ENOSPC, EDQUOT])
    func `deletes the oldest pictures if the disk takes no further file`(_ limit: Int, _ code: Int32) async throws {
        // The last file to be refused is that of a picture or its link, depending on the limit.
        let files = QuotaFiles(folder.path, limit, code)
        let spool = try await folder.open(Self.rules, files: files)
        let ids = try await spool.fill(0..<60, durability: .full).map(\.id)
        let left = try folder.ids()
        #expect(left == ids.suffix(left.count) && (10..<limit).contains(left.count), "\(left.count) of \(limit)")
        #expect(try folder.paths() == folder.pictures())
        #expect(try folder.bytes("door/latest.jpg") == picture)
        #expect(spool.state == .available)
        await spool.close(until: soon)
    }

    @Test func `deletes pictures once if that does not help`() async throws {
        try await folder.filled(0..<40)
        let files = FaultyFiles()
        let spool = try await folder.open(Self.rules, files: files)
        files.before { $0.verb == "create" && $0.path.hasSuffix(".jpg") ? ENOSPC : nil }
        for number in 40..<43 { #expect(try await spool.refusal(of: still(number)).code == .spoolFull) }
        #expect(try folder.ids().count == 32)
        files.mend()
        try await spool.fill(43..<44)
        #expect(try folder.ids().count == 33)
        await spool.close(until: soon)
    }

    @Test func `deletes pictures once for a folder that is always refused, also if other cameras store`() async throws {
        try await folder.filled(0..<40)
        let files = FaultyFiles()
        let spool = try await folder.open(Self.rules, files: files)
        files.before { $0.verb == "make the folder" && $0.path.contains("/yard") ? EDQUOT : nil }
        for number in 40..<43 {
            #expect(try await spool.refusal(of: still(number, camera: "yard")).code == .spoolFull)
            try await spool.fill(number..<number + 1)
        }
        #expect(try folder.ids().count == 35)
        await spool.close(until: soon)
    }

    @Test func `deletes nothing for a file without minFree`() async throws {
        try await folder.filled(0..<3)
        let files = FaultyFiles()
        let spool = try await folder.open(RetentionSettings(maxFrames: 100), files: files)
        files.before { $0.verb == "create" && $0.path.hasSuffix(".jpg") ? EDQUOT : nil }
        let refusal = try await spool.refusal(of: still(4))
        #expect(refusal.code == .spoolFull && refusal.remedy.contains("quota"))
        #expect(try folder.ids().count == 3)
        await spool.close(until: soon)
    }

    @Test(.requiresMounting) func `stores on a disk without inodes`() async throws {
        try await MemoryDisk.mounted("size=64m,nr_inodes=60") { folder in
            let spool = try await folder.open(Self.rules)
            let ids = try await spool.fill(0..<100, durability: .full).map(\.id)
            let left = try folder.ids()
            #expect(left == ids.suffix(left.count) && left.count > 20)
            await spool.close(until: soon)
        }
    }
}
