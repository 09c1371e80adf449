// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension FrameRow: FetchableRecord {
    init(row: Row) throws {
        let uncertainty: Int64? = row["uncertaintyNs"]
        let settled: Int64? = row["settled"]
        let gap: Int64? = row["gapNs"]
        let tags: String? = row["tags"]
        let (camera, path): (String, String) = (row["camera"], row["path"])
        guard SpoolPath.isPossible(path, of: camera) else { throw Self.unknown(path, "path", row) }
        self.init(
            id: try Self.value("id", of: row) { FrameID($0) },
            camera: camera,
            path: path,
            bytes: row["bytes"],
            size: FrameSize(width: row["width"], height: row["height"]),
            sequence: UInt32(truncatingIfNeeded: row["sequence"] as Int64),
            capturedAt: Timestamp(microseconds: row["capturedAt"]),
            timestampSource: try Self.value("timestampSource", of: row, TimestampSource.init),
            uncertainty: uncertainty.map { .nanoseconds($0) },
            storedAt: Timestamp(microseconds: row["storedAt"]),
            stored: try Self.value("stored", of: row, StillRecord.Stored.init),
            sha256: row["sha256"],
            bootID: row["bootID"],
            storedMonotonic: MonotonicTime(nanoseconds: row["storedMonotonicNs"]),
            isClockSynchronized: row["isClockSynchronized"] as Int64 != 0,
            settled: settled.map { $0 != 0 },
            verdict: row["verdict"] == nil ? nil : try Self.value("verdict", of: row, Verdict.init),
            faults: try Self.words("faults", of: row, PictureFault.init),
            appearance: try Self.words("appearance", of: row, Appearance.init),
            tags: tags.map { $0.split(separator: ",").map(String.init) },
            average: row["average"],
            gap: gap.map { .nanoseconds($0) },
            source: try Self.value("source", of: row, FrameSource.init),
            isPinned: row["pinned"] as Int64 != 0,
            isLost: row["isLost"] as Int64 != 0
        )
    }

    private static func value<Value>(_ column: String, of row: Row, _ read: (String) -> Value?) throws -> Value {
        let text: String = row[column]
        guard let value = read(text) else { throw unknown(text, column, row) }
        return value
    }

    /// The words of a list; nil where the column is NULL.
    private static func words<Word>(_ column: String, of row: Row, _ read: (String) -> Word?) throws -> [Word]? {
        guard let text = row[column] as String? else { return nil }
        return try text.split(separator: ",").map { word in
            guard let value = read(String(word)) else { throw unknown(text, column, row) }
            return value
        }
    }

    private static func unknown(_ text: String, _ column: String, _ row: Row) -> DatabaseError {
        let id: String? = row["id"]
        return DatabaseError(
            resultCode: .SQLITE_CORRUPT,
            message: "row \(id ?? "without id") has in \(column) what nobody wrote: \(text)"
        )
    }
}
