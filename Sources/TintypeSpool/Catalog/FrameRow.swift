// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// One picture as the catalog knows it.
struct FrameRow: Hashable, Sendable {
    /// Made of ``capturedAt``: a list by ids is one by time, and a filter by time is one by ids.
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
    /// The promise of its reply.
    var stored: StillRecord.Stored
    /// In lower-case hexadecimal.
    var sha256: String
    /// The boot that it was stored in (/proc/sys/kernel/random/boot_id).
    var bootID: String
    /// When it was stored, on that boot's monotonic clock.
    var storedMonotonic: MonotonicTime
    /// Whether the wall clock was synchronised when it was stored.
    var isClockSynchronized: Bool
    // As in ``StillRecord``; nil for a picture that was found without a row.
    var settled: Bool?
    var verdict: Verdict?
    var faults: [PictureFault]?
    var appearance: [Appearance]?
    var tags: [String]?
    var average: Int?
    var gap: Duration?
    var source = FrameSource.request
    /// Whether retention leaves it alone.
    var isPinned = false
    /// Whether its file is gone.
    var isLost = false
}

extension FrameRow: PersistableRecord {
    static let databaseTableName = "frame"

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id.databaseValue
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
        container["sha256"] = DatabaseValue(hexadecimal: sha256)
        container["bootID"] = bootID
        container["storedMonotonicNs"] = storedMonotonic.nanoseconds
        container["isClockSynchronized"] = isClockSynchronized ? 1 : 0
        container["settled"] = settled.map { $0 ? 1 : 0 }
        container["verdict"] = verdict?.rawValue
        container["faults"] = faults.map { Self.text($0.map(\.rawValue)) }
        container["appearance"] = appearance.map { Self.text($0.map(\.rawValue)) }
        container["tags"] = tags.map(Self.text)
        container["average"] = average
        container["gapNs"] = gap?.nanosecondCount
        container["source"] = source.rawValue
        container["pinned"] = isPinned ? 1 : 0
        container["isLost"] = isLost ? 1 : 0
    }

    /// Words as one text: none of them has a comma in it.
    static func text(_ words: [String]) -> String { words.joined(separator: ",") }
}

extension FrameRow: FetchableRecord {
    /// The longest side of a JPEG picture (ITU-T T.81, B.2.2).
    private static let sides = 0...65_535

    /// Reads a row, each column by its type and range.
    ///
    /// Throws SQLITE_CORRUPT where one has what tintyped never writes.
    init(row: Row) throws {
        let row = CheckedRow(row)
        let camera = try row.camera()
        self.init(
            id: try row.id("id"),
            camera: camera,
            path: try row.value("path") { SpoolPath.isPossible($0, of: camera) ? $0 : nil },
            bytes: try row.int("bytes", in: 0...FileLimit.picture),
            size: FrameSize(width: try row.int("width", in: Self.sides), height: try row.int("height", in: Self.sides)),
            sequence: UInt32(try row.integer("sequence", in: 0...Int64(UInt32.max))),
            capturedAt: try row.moment("capturedAt"),
            timestampSource: try row.value("timestampSource", TimestampSource.init),
            uncertainty: try row.optionalInteger("uncertaintyNs", in: 0...Int64.max).map { .nanoseconds($0) },
            storedAt: try row.moment("storedAt"),
            stored: try row.value("stored", StillRecord.Stored.init),
            sha256: try row.checksum("sha256"),
            bootID: try row.value("bootID") { $0 },
            storedMonotonic: MonotonicTime(nanoseconds: try row.integer("storedMonotonicNs", in: 0...Int64.max)),
            isClockSynchronized: try row.flag("isClockSynchronized"),
            settled: try row.optionalInteger("settled", in: 0...1).map { $0 == 1 },
            verdict: try row.optionalValue("verdict", Verdict.init),
            faults: try row.words("faults", PictureFault.init),
            appearance: try row.words("appearance", Appearance.init),
            tags: try row.words("tags") { StillRequest.isValid(tag: $0) ? $0 : nil },
            average: try row.optionalInteger("average", in: 0...Int64(StillRequest.averageRange.upperBound))
                .map { Int($0) },
            gap: try row.optionalInteger("gapNs", in: 0...Int64.max).map { .nanoseconds($0) },
            source: try row.value("source", FrameSource.init),
            isPinned: try row.flag("pinned"),
            isLost: try row.flag("isLost")
        )
    }
}

extension FrameRow {
    /// The row as a still's record, its path absolute.
    func record(in spool: String) -> StillRecord {
        var record = StillRecord(
            id: id,
            camera: camera,
            bytes: bytes,
            width: size.width,
            height: size.height,
            sequence: sequence,
            capturedAt: capturedAt,
            timestampSource: timestampSource
        )
        record.path = "\(spool)/\(path)"
        record.stored = stored
        record.uncertaintyMs = uncertainty.map(Milliseconds.init)
        record.settled = settled
        record.verdict = verdict
        record.faults = faults
        record.appearance = appearance
        record.tags = tags
        record.average = average
        record.gapMs = gap.map(Milliseconds.init)
        record.sha256 = sha256
        return record
    }

    /// The row as the record of a stored frame of the spool called `name`, its path absolute.
    func frameRecord(in spool: String, named name: String) -> FrameRecord {
        FrameRecord(
            still: record(in: spool),
            storedAt: storedAt,
            pinned: isPinned,
            lost: isLost,
            source: source,
            spool: name
        )
    }
}

/// A row with its place in the order in which pictures came into the spool.
struct NumberedRow: Hashable, Sendable {
    var row: FrameRow
    /// Grows with each picture that is stored, independently of the clock: the wall clock in microseconds since 1970, or one
    /// more than the greatest number there is where the clock is behind that.
    ///
    /// So pictures that were found without a row have their place too, by the time of their capture.
    var number: Int64

    /// The numbers that rows can have: never so great that there is no next one.
    static let numbers: ClosedRange<Int64> = 0...Int64.max / 2

    /// The number of a picture of which only the time of its capture is known.
    static func number(at time: Timestamp) -> Int64 { min(max(0, time.microseconds), CheckedRow.moments.upperBound) }
}

extension NumberedRow: FetchableRecord, PersistableRecord {
    static let databaseTableName = FrameRow.databaseTableName

    init(row: Row) throws {
        self.init(row: try FrameRow(row: row), number: try CheckedRow(row).integer("number", in: Self.numbers))
    }

    func encode(to container: inout PersistenceContainer) {
        row.encode(to: &container)
        container["number"] = number
    }
}
