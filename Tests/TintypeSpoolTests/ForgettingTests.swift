// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
import TintypeDigest
internal import TintypeModel

@testable internal import TintypeSpool

/// For how long it is remembered that a picture was deleted.
@Suite struct ForgettingTests {
    private static let day: Int64 = 86_400_000_000

    /// A tombstone of so many days ago over a name.
    private func addTombstone(_ name: String, _ days: Int64, in folder: SpoolFolder, sha256: String? = nil) throws {
        let time = Timestamp(microseconds: Timestamp.now().microseconds - days * Self.day)
        let digest = sha256.map { "x'\($0)'" } ?? "zeroblob(32)"
        let values = "'\(name)', \(FrameID(at: time).sql), \(time.microseconds), \(digest)"
        try folder.sql("INSERT INTO tombstone VALUES (\(values))")
    }

    @Test func `a clock that may be wrong lets nothing be forgotten`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: .seconds(365 * 86_400)))
        _ = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        var stepped = clocks(.seconds(60))
        stepped.wall = Timestamp(microseconds: stepped.wall.microseconds + 365 * Self.day)
        #expect(try await spool.retention(dryRun: false, at: stepped, until: soon).withheld != nil)
        for days in [29, 31, 400] as [Int64] { try addTombstone("door/\(days).jpg", days, in: folder) }
        _ = try await spool.verify(until: soon)
        #expect(try await spool.retention(dryRun: false, at: stepped, until: soon).withheld != nil)
        #expect(try folder.sql("SELECT count(*) FROM tombstone") == ["3"])
        let name = "door/2025/01/02/030405.000006Z-000000007.jpg"
        try addTombstone(name, 390, in: folder, sha256: SHA256.text(picture))
        try folder.write(picture, to: name)
        let report = try await spool.verify(until: soon)
        #expect(report.removed == 1 && report.takenIn == 0)
        await spool.close(until: soon)
    }
}
