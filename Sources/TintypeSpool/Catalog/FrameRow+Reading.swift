// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension FrameRow: FetchableRecord {
    /// The longest side of a JPEG picture (ITU-T T.81, B.2.2).
    private static let sides = 0...65_535
    /// The most faults and kinds of appearance that a row names.
    private static let mostWords = 32

    /// Reads a row, each column by its type, range and length.
    ///
    /// Throws ``RowDamage`` where one has what tintyped never writes.
    init(row: Row) throws {
        let row = CheckedRow(row)
        // Of no frame's concern, but of the row's.
        _ = try row.optionalInteger("number", in: NumberedRow.numbers)
        let camera = try row.value("camera") { CameraName.isValid($0) ? $0 : nil }
        self.init(
            id: try row.id("id"),
            camera: camera,
            path: try row.value("path") { SpoolPath.isPossible($0, of: camera) ? $0 : nil },
            bytes: try row.int("bytes", in: 0...FileLimit.picture),
            size: FrameSize(
                width: try row.int("width", in: Self.sides),
                height: try row.int("height", in: Self.sides)
            ),
            sequence: UInt32(try row.integer("sequence", in: 0...Int64(UInt32.max))),
            capturedAt: try row.moment("capturedAt"),
            timestampSource: try row.value("timestampSource", TimestampSource.init),
            uncertainty: try row.optionalInteger("uncertaintyNs", in: 0...Int64.max).map { .nanoseconds($0) },
            storedAt: try row.moment("storedAt"),
            stored: try row.value("stored", StillRecord.Stored.init),
            sha256: try row.checksum("sha256"),
            bootID: try row.value("bootID") { $0.utf8.count <= 64 ? $0 : nil },
            storedMonotonic: MonotonicTime(nanoseconds: try row.integer("storedMonotonicNs", in: 0...Int64.max)),
            isClockSynchronized: try row.flag("isClockSynchronized"),
            settled: try row.optionalInteger("settled", in: 0...1).map { $0 == 1 },
            verdict: try row.optionalValue("verdict", Verdict.init),
            faults: try row.words("faults", most: Self.mostWords, PictureFault.init),
            appearance: try row.words("appearance", most: Self.mostWords, Appearance.init),
            tags: try row.words("tags", most: 4 * StillRequest.mostTags) { StillRequest.isValid(tag: $0) ? $0 : nil },
            average: try row.optionalInteger("average", in: 0...Int64(StillRequest.averageRange.upperBound))
                .map { Int($0) },
            gap: try row.optionalInteger("gapNs", in: 0...Int64.max).map { .nanoseconds($0) },
            source: try row.value("source", FrameSource.init),
            isPinned: try row.flag("pinned"),
            isLost: try row.flag("isLost")
        )
    }

    /// Whether a text is a SHA-256 in lower-case hexadecimal.
    static func isChecksum(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
