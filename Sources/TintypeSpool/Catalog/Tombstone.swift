// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// The trace of a deleted frame, so that its file is not taken in again should it come back.
struct Tombstone: Hashable, Sendable {
    /// The path of the file relative to the spool.
    var path: String
    var id: FrameID
    var deletedAt: Timestamp
    /// Of the picture that was deleted: another one of that name is another frame.
    var sha256: String

    static let lifetime = Duration.seconds(30 * 86_400)

    /// The time of the oldest that still count at `now`.
    static func oldest(at now: Timestamp) -> Timestamp { now - lifetime }
}

extension Tombstone: FetchableRecord, PersistableRecord {
    static let databaseTableName = "tombstone"

    /// Reads a row, each column by its type and range; throws SQLITE_CORRUPT.
    init(row: Row) throws {
        let row = CheckedRow(row)
        self.init(
            path: try row.value("path") { SpoolPath.isPossible($0) ? $0 : nil },
            id: try row.id("id"),
            deletedAt: try row.moment("deletedAt"),
            sha256: try row.checksum("sha256")
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container["path"] = path
        container["id"] = id.databaseValue
        container["deletedAt"] = deletedAt.microseconds
        container["sha256"] = DatabaseValue(hexadecimal: sha256)
    }
}
