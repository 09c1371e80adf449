// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Record of a deleted frame, which keeps its file from being taken in again if it reappears.
struct Tombstone: Hashable, Sendable {
    /// Relative to the spool.
    var path: String
    var id: FrameID
    var deletedAt: Timestamp
    /// Checksum of the deleted picture: another picture of that name is another frame.
    var sha256: String

    static let lifetime = Duration.seconds(30 * 86_400)

    /// Time before which tombstones have expired at `now`.
    static func oldest(at now: Timestamp) -> Timestamp { now - lifetime }
}

extension Tombstone: FetchableRecord, PersistableRecord {
    static let databaseTableName = "tombstone"

    /// Throws SQLITE_CORRUPT for values that tintyped never writes.
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
