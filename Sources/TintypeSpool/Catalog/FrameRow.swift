// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// One picture as the catalog knows it.
struct FrameRow: Hashable, Sendable {
    var id: FrameID
    var camera: String
    /// The path relative to the spool.
    var path: String
    var bytes: Int
    var size: FrameSize
    var sequence: UInt32
    var capturedAt: Timestamp
    var timestampSource: TimestampSource
    var uncertainty: Duration?
    var storedAt: Timestamp
    /// What its reply promised.
    var stored: StillRecord.Stored
    /// In lower-case hexadecimal.
    var sha256: String
    /// The boot that it was stored in (/proc/sys/kernel/random/boot_id).
    var bootID: String
    /// When it was stored, on that boot's monotonic clock.
    var storedMonotonic: MonotonicTime
    /// Whether the wall clock was synchronised when it was stored.
    var isClockSynchronized: Bool
}

extension FrameRow: PersistableRecord {
    static let databaseTableName = "frame"

    /// The names of the columns.
    enum Columns {
        static let id = Column("id")
        static let camera = Column("camera")
        static let path = Column("path")
        static let bytes = Column("bytes")
        static let capturedAt = Column("capturedAt")
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id.description
        container["camera"] = camera
        container["path"] = path
        container["bytes"] = bytes
        container["width"] = size.width
        container["height"] = size.height
        container["sequence"] = Int64(sequence)
        container["capturedAt"] = capturedAt.microseconds
        container["timestampSource"] = timestampSource.rawValue
        container["uncertaintyNs"] = uncertainty?.nanosecondCount
        container["storedAt"] = storedAt.microseconds
        container["stored"] = stored.rawValue
        container["sha256"] = sha256
        container["bootID"] = bootID
        container["storedMonotonicNs"] = storedMonotonic.nanoseconds
        container["isClockSynchronized"] = isClockSynchronized ? 1 : 0
    }
}

extension FrameRow: FetchableRecord {
    init(row: Row) throws {
        let stored: String = row["stored"]
        let source: String = row["timestampSource"]
        let text: String = row["id"]
        guard let id = FrameID(text), let stored = StillRecord.Stored(rawValue: stored),
            let timestampSource = TimestampSource(rawValue: source)
        else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "row \(text) has a value that nobody wrote")
        }
        let uncertainty: Int64? = row["uncertaintyNs"]
        self.init(
            id: id,
            camera: row["camera"],
            path: row["path"],
            bytes: row["bytes"],
            size: FrameSize(width: row["width"], height: row["height"]),
            sequence: UInt32(truncatingIfNeeded: row["sequence"] as Int64),
            capturedAt: Timestamp(microseconds: row["capturedAt"]),
            timestampSource: timestampSource,
            uncertainty: uncertainty.map { .nanoseconds($0) },
            storedAt: Timestamp(microseconds: row["storedAt"]),
            stored: stored,
            sha256: row["sha256"],
            bootID: row["bootID"],
            storedMonotonic: MonotonicTime(nanoseconds: row["storedMonotonicNs"]),
            isClockSynchronized: row["isClockSynchronized"] as Int64 != 0
        )
    }
}
