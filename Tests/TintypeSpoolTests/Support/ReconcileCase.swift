// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

/// A spool that needs every kind of repair of a verification.
enum ReconcileCase {
    /// Pictures after the repair.
    static let pictures = [storedName(0), storedName(6), "yard/2025/01/02/030405.000006Z-000000007.jpg"]

    /// Makes the spool: a picture with its row, one without, one truncated, one of another length than in its row, a
    /// row without a file, a lost row whose file has returned, deletions interrupted before and after the removal of
    /// the file, a deleted picture restored by a power cut, a leftover, and a dangling `latest.jpg`.
    static func fill(_ folder: SpoolFolder) async throws {
        let ids = try await folder.filled(0...6, durability: .full).map(\.id)
        try folder.remove(storedName(1))
        try folder.write([UInt8](picture.dropLast(20)), to: storedName(2))
        try folder.bury(where: "id IN (\(ids[3...5].map(\.sql).joined(separator: ", ")))")
        try folder.remove(storedName(4))
        // The row of the last one is gone; its tombstone stays.
        try folder.sql("DELETE FROM frame WHERE id = \(ids[5].sql)")
        try folder.sql("UPDATE frame SET isLost = 1 WHERE id = \(ids[6].sql)")
        try folder.write(picture, to: "yard/2025/01/02/030405.000006Z-000000007.jpg")
        try folder.write([UInt8](picture.dropLast(20)), to: "yard/2025/01/02/030406.000006Z-000000008.jpg")
        try folder.write([1, 2, 3], to: ".incoming/abc.jpg")
        try folder.remove("door/latest.jpg")
        try folder.link("door/latest.jpg", to: "2026/11/21/143013.345678Z-000001235.jpg")
    }

    /// Expects the repaired state.
    static func expectEnd(_ folder: SpoolFolder, _ comment: Comment) throws {
        #expect(try folder.pictures() == pictures, comment)
        #expect(try folder.paths(where: "NOT isLost") == pictures, comment)
        #expect(try folder.paths(where: "isLost") == [storedName(1), storedName(2)], comment)
        for name in pictures { #expect(try folder.bytes(name) == picture, comment) }
        let quarantined = [
            "door-2026-11-21-143014.345678Z-000001236.jpg", "yard-2025-01-02-030406.000006Z-000000008.jpg",
        ]
        #expect(try folder.names(in: ".quarantine") == quarantined, comment)
        #expect(try folder.names(in: ".incoming").isEmpty, comment)
        #expect(try folder.bytes("door/latest.jpg") == picture, comment)
    }
}
