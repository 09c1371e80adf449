// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// `latest.jpg` leads to a picture whatever becomes of the one that it shows.
@Suite struct LatestPictureTests {
    private let folder = SpoolFolder()

    @Test(arguments: [false, true])
    func `turns to another picture before its own is quarantined`(_ isShorter: Bool) async throws {
        let files = FaultyFiles()
        let spool = try await folder.open(files: files)
        let records = try await spool.fill(0..<3)
        let newest = try folder.relative(records[2])
        var bytes = try folder.bytes(newest)
        if isShorter { bytes.removeLast(40) } else { bytes[bytes.count / 2] ^= 0xFF }
        try folder.write(bytes, to: newest)
        let looks = Mutex<[Bool]>([])
        let (place, link) = ("\(folder.path)/.quarantine/", "\(folder.path)/door/latest.jpg")
        files.before { call in
            if call.verb == "rename", call.path.hasPrefix(place) {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
                looks.withLock { $0.append(target.map { !newest.hasSuffix($0) } ?? false) }
            }
            return nil
        }
        let report = try await spool.verify(deep: true, until: soon)
        #expect(report.quarantined == 1 && report.lost == 1)
        #expect(looks.withLock(\.self) == [true])
        #expect(try "door/" + folder.target() == folder.relative(records[1]))
        await spool.close(until: soon)
    }

    @Test func `is gone before the only picture is removed`() async throws {
        let files = FaultyFiles()
        let spool = try await folder.open(files: files)
        let records = try await spool.fill(0..<2)
        let looks = Mutex<[FileStatus.Kind?]>([])
        let (place, link) = ("\(folder.path)/door/2026/", "\(folder.path)/door/latest.jpg")
        files.before { call in
            guard call.verb == "remove", call.path.hasPrefix(place) else { return nil }
            looks.withLock { $0.append(try? SystemFiles().status(of: link, following: false)?.kind) }
            // The older picture cannot be removed.
            return call.path == records[0].path ? EPERM : nil
        }
        #expect(try await spool.delete(.ids(records.map(\.id)), until: soon).failed == [records[0].id])
        #expect(looks.withLock(\.self) == [nil, nil])
        #expect(try "door/" + folder.target() == folder.relative(records[0]))
        await spool.close(until: soon)
    }

    @Test func `passes over a picture whose file is gone`() async throws {
        let spool = try await folder.open()
        let records = try await spool.fill(0..<3)
        try folder.remove(folder.relative(records[1]))
        _ = try await spool.delete(.ids([records[2].id]), until: soon)
        #expect(try "door/" + folder.target() == folder.relative(records[0]))
        await spool.close(until: soon)
    }

    @Test func `a link from before the camera had its own latest.jpg follows deletions and repairs`() async throws {
        let records = try await folder.filled(0..<3)
        var configuration = folder.configuration
        configuration.ownLatest = ["door"]
        let spool = try await folder.open(configuration)
        _ = try await spool.delete(.ids([records[2].id]), until: soon)
        #expect(try "door/" + folder.target() == folder.relative(records[1]))
        try folder.remove(folder.relative(records[1]))
        _ = try await spool.verify(until: soon)
        #expect(try "door/" + folder.target() == folder.relative(records[0]))
        // A missing one is left to the schedule that makes it.
        try folder.remove("door/latest.jpg")
        _ = try await spool.verify(until: soon)
        #expect(throws: (any Error).self) { try folder.target() }
        await spool.close(until: soon)
    }
}
