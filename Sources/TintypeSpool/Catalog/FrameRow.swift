// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

struct FrameRow: Hashable, Sendable {
    /// Derived from ``capturedAt``: order by id is order by time, and a filter by time is a range of ids.
    var id: FrameID
    var camera: String
    /// Relative to the spool.
    var path: String
    var bytes: Int
    var size: FrameSize
    var sequence: UInt32
    var capturedAt: Timestamp
    var timestampSource: TimestampSource
    var uncertainty: Duration?
    var storedAt: Timestamp
    /// Durability promised in the reply.
    var stored: StillRecord.Stored
    /// In lower-case hexadecimal.
    var sha256: String
    /// Boot in which it was stored (/proc/sys/kernel/random/boot_id).
    var bootID: String
    /// Time of storing, on the monotonic clock of that boot.
    var storedMonotonic: MonotonicTime
    /// Synchronisation of the wall clock at the time of storing.
    var isClockSynchronized: Bool
    // As in ``StillRecord``; nil for a picture found without a row.
    var settled: Bool?
    var verdict: Verdict?
    var faults: [PictureFault]?
    var appearance: [ImageDefect]?
    var tags: [String]?
    var average: Int?
    var gap: Duration?
    var source = FrameSource.request
    /// Exempts the frame from retention.
    var isPinned = false
    /// True if the file is missing.
    var isLost = false

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

    /// Converts the row to a frame record of the spool called `name`, with an absolute path.
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

    /// Comma-separated list; no word contains a comma.
    static func text(_ words: [String]) -> String { words.joined(separator: ",") }
}

extension FrameRow: FetchableRecord {
    /// Side lengths of a JPEG picture in pixels (ITU-T T.81, B.2.2).
    private static let sides = 0...65_535

    /// Reads a row; throws SQLITE_CORRUPT for types and values that tintyped never writes.
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
            appearance: try row.words("appearance", ImageDefect.init),
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

struct NumberedRow: Hashable, Sendable {
    var row: FrameRow
    /// Increases with each stored picture: the wall clock in microseconds since 1970, or the greatest number plus one
    /// if that is more; a picture found without a row is ordered by its capture time.
    var number: Int64

    /// Valid numbers; the upper bound leaves room for a successor.
    static let numbers: ClosedRange<Int64> = 0...Int64.max / 2

    /// Number of a picture with only a known capture time.
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
