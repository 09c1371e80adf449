// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// What is left of a deleted frame, so that its file is not taken in again should it come back.
struct Tombstone: Hashable, Sendable {
    /// The path of the file relative to the spool.
    var path: String
    var id: FrameID
    var deletedAt: Timestamp
    /// Of the picture that was deleted: another one of that name is another frame.
    var sha256: String

    /// How long a tombstone is kept.
    static let lifetime = Duration.seconds(30 * 86_400)

    /// When the oldest were made that still count.
    static func oldest() -> Timestamp {
        Timestamp.now() - lifetime
    }
}

extension Tombstone: FetchableRecord, PersistableRecord {
    static let databaseTableName = "tombstone"

    init(row: Row) throws {
        let text: String = row["id"]
        guard let id = FrameID(text) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "a tombstone has an id that nobody wrote: \(text)"
            )
        }
        let path: String = row["path"]
        guard SpoolPath.isPossible(path) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "a tombstone has a path that nobody wrote: \(path)"
            )
        }
        self.init(
            path: path,
            id: id,
            deletedAt: Timestamp(microseconds: row["deletedAt"]),
            sha256: row["sha256"]
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container["path"] = path
        container["id"] = id.description
        container["deletedAt"] = deletedAt.microseconds
        container["sha256"] = sha256
    }
}
