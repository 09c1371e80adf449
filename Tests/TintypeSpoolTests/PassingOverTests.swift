// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeImaging
internal import TintypeModel

@testable internal import TintypeSpool

/// Unprocessable files do not block the processing of all others.
@Suite struct PassingOverTests {
    private static let torn = "yard/2025/01/02/030406.000006Z-000000008.jpg"
    private let folder = SpoolFolder()
    private let files = FaultyFiles()
    private let log = MessageLog()

    /// Stores `count` pictures, oldest first, and closes the spool.
    private func filled(_ count: Int, camera: String = "door") async throws -> [StillRecord] {
        let records = try await folder.filled(0..<count, camera: camera)
        try folder.believeTimes()
        return records
    }

    @Test(arguments: [EPERM, EACCES, EXDEV, EROFS])
    func `skips a truncated file that cannot be moved`(_ code: Int32) async throws {
        let records = try await filled(4)
        for record in records { try folder.sql("DELETE FROM frame WHERE id = \(record.id.sql)") }
        try folder.write([UInt8](picture.dropLast(20)), to: Self.torn)
        // Includes the latest.jpg of that camera.
        files.refuse { $0.contains("/yard/") ? code : nil }
        let configuration = folder.configuration(RetentionSettings(maxFrames: 2))
        let spool = try await SpoolStore.open(configuration, logger: log.logger, files: files)
        try await spool.keep()
        #expect(try folder.pictures().count == 3)
        #expect(try folder.paths() == folder.pictures().filter { $0 != Self.torn })
        #expect(try folder.bytes("door/latest.jpg") == picture)
        #expect(log.warnings.contains { $0.contains(Self.torn) && $0.contains("stays") })
    }

    @Test(arguments: [EIO, EROFS])
    func `an unwritable disk closes the spool`(_ code: Int32) async throws {
        let records = try await filled(4)
        try folder.write([UInt8](picture.dropLast(20)), to: Self.torn)
        let spool = try await folder.open(RetentionSettings(maxFrames: 2), files: files)
        try folder.write([UInt8](picture.dropLast(20)), to: Self.torn)
        files.refuse { _ in code }
        #expect(await problem { try await spool.verify(until: soon) }?.code == .spoolUnavailable)
        try await eventually("the spool is closed") { spool.state.name == .unavailable }
        #expect(try folder.pictures().count == records.count + 1)
    }

    @Test func `quarantines a file with a long path under a shorter name`() async throws {
        let part = String(repeating: "ö", count: 60)
        let bytes = [UInt8](facts(noon).write(into: picture).dropLast(20))
        try folder.write(bytes, to: "door/\(part)/\(part)/\(part).jpg")
        try folder.write(bytes, to: "door/\(part)/\(part)/\(part)2.jpg")
        _ = try await folder.open()
        #expect(try folder.pictures().isEmpty)
        let names = try folder.names(in: ".quarantine")
        #expect(names.count == 2)
        for name in names {
            #expect(name.hasPrefix("door-\(part)-") && name.hasSuffix(".jpg") && name.utf8.count <= 255)
            #expect(try folder.bytes(".quarantine/\(name)") == bytes)
        }
    }

    @Test(arguments: [RetentionSettings(maxAge: .seconds(86_400)), RetentionSettings(maxFrames: 65)])
    func `retention skips pictures that cannot be removed`(_ settings: RetentionSettings) async throws {
        let records = try await filled(70)
        let stuck = Set(records.prefix(60).compactMap(\.path))
        files.refuse { stuck.contains($0) ? EPERM : nil }
        let spool = try await folder.open(settings, files: files, logger: log.logger)
        let report = try await spool.retention(dryRun: false, at: clocks(.seconds(172_800)), until: soon)
        // maxAge removes all ten others, maxFrames only the excess.
        let gone = settings.maxAge == nil ? 5 : 10
        #expect(report.frames == gone)
        #expect(try folder.ids() == records.prefix(60).map(\.id) + records.suffix(10 - gone).map(\.id))
        #expect(log.warnings.count { $0.contains("others are deleted instead") } == 60)
        #expect(try folder.sql("SELECT count(*) FROM tombstone") == ["\(gone)"])
        // They are not retried at once.
        #expect(try await spool.retention(dryRun: false, at: clocks(.seconds(172_900)), until: soon).frames == 0)
        #expect(log.warnings.count { $0.contains("others are deleted instead") } == 60)
    }

    @Test func `making room for a still skips pictures that cannot be removed`() async throws {
        let records = try await filled(3)
        let first = try #require(records[0].path)
        files.refuse { $0 == first ? EPERM : nil }
        let spool = try await folder.open(RetentionSettings(maxFrames: 3), files: files)
        let next = try await spool.store(still(10), durability: .full, until: soon)
        #expect(try folder.ids() == [records[0].id, records[2].id, next.id])
        files.refuse { $0.contains("/door/2") && $0.hasSuffix(".jpg") ? EPERM : nil }
        let full = try await spool.refusal(of: still(11, camera: "yard"))
        #expect(full.code == .spoolFull)
        #expect(full.detail.contains("maxFrames 3") && full.detail.contains(first), "\(full)")
    }

    @Test func `pictures behind a folder link expire from the catalog only`() async throws {
        _ = try await filled(3, camera: "yard")
        let other = SpoolFolder()
        try other.makeFolder()
        try FileManager.default.moveItem(atPath: "\(folder.path)/yard", toPath: "\(other.path)/yard")
        try folder.link("yard", to: "\(other.path)/yard")
        let spool = try await folder.open(RetentionSettings(maxAge: .seconds(86_400)))
        #expect(try folder.sql("SELECT count(*) FROM frame WHERE isLost") == ["3"])
        let report = try await spool.retention(dryRun: false, at: clocks(.seconds(172_800)), until: soon)
        #expect(report.frames == 3 && report.bytes == 0)
        #expect(try folder.ids().isEmpty)
        #expect(try other.pictures().count == 3)
    }
}
