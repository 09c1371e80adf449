// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Row of a picture: the record of its still, and its state in the spool.
@dynamicMemberLookup
struct FrameRow: Equatable, Sendable {
    /// Its `path` and `sha256` are not used: the row has its own.
    ///
    /// The id is derived from the capture time: order by id is order by time, and a filter by time is a range of ids.
    var still: StillRecord
    /// Relative to the spool.
    var path: String
    /// In lower-case hexadecimal.
    var sha256: String
    var storedAt: Timestamp
    /// Boot in which it was stored (/proc/sys/kernel/random/boot_id).
    var bootID: String
    /// Time of storing, on the monotonic clock of that boot.
    var storedMonotonic: MonotonicTime
    /// Synchronisation of the wall clock at the time of storing.
    var isClockSynchronized: Bool
    var source = FrameSource.request
    var isPinned = false
    var isLost = false
    /// Position in the order of arrival, set by the catalog: increases with each stored picture.
    ///
    /// The wall clock in microseconds since 1970, or the greatest number plus one if that is more; a picture found
    /// without a row is ordered by its capture time.
    var number: Int64 = 0

    /// Valid numbers; the upper bound leaves room for a successor.
    static let numbers: ClosedRange<Int64> = 0...Int64.max / 2

    /// Number of a picture with only a known capture time.
    static func number(at time: Timestamp) -> Int64 { min(max(0, time.microseconds), CheckedRow.moments.upperBound) }

    /// Folder of the file, relative to the spool.
    var parent: Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }

    subscript<Value>(dynamicMember field: WritableKeyPath<StillRecord, Value>) -> Value {
        get { still[keyPath: field] }
        set { still[keyPath: field] = newValue }
    }
}

extension FrameRow: PersistableRecord {
    static let databaseTableName = "frame"

    func encode(to container: inout PersistenceContainer) {
        container["id"] = still.id.databaseValue
        container["number"] = number
        container["camera"] = still.camera
        container["path"] = path
        container["bytes"] = still.bytes
        container["width"] = still.width
        container["height"] = still.height
        container["sequence"] = Int64(still.sequence)
        container["capturedAt"] = still.capturedAt.microseconds
        container["timestampSource"] = still.timestampSource.rawValue
        container["storedAt"] = storedAt.microseconds
        container["stored"] = still.stored.rawValue
        container["sha256"] = DatabaseValue(hexadecimal: sha256)
        container["bootID"] = bootID
        container["storedMonotonicNs"] = storedMonotonic.nanoseconds
        container["isClockSynchronized"] = isClockSynchronized ? 1 : 0
        container["source"] = source.rawValue
        container["pinned"] = isPinned ? 1 : 0
        container["isLost"] = isLost ? 1 : 0
        for column in FrameColumn.all { container[column.name] = column.value(of: still) }
    }
}

extension FrameRow: FetchableRecord {
    /// Side lengths of a JPEG picture in pixels (ITU-T T.81, B.2.2).
    private static let sides = 0...65_535

    /// Reads a row; throws SQLITE_CORRUPT for types and values that tintyped never writes.
    init(row: Row) throws {
        let row = CheckedRow(row)
        let camera = try row.camera()
        var still = StillRecord(
            id: try row.id("id"),
            camera: camera,
            bytes: try row.int("bytes", in: 0...FileLimit.film),
            width: try row.int("width", in: Self.sides),
            height: try row.int("height", in: Self.sides),
            sequence: UInt32(try row.integer("sequence", in: 0...Int64(UInt32.max))),
            capturedAt: try row.moment("capturedAt"),
            timestampSource: try row.value("timestampSource", TimestampSource.init)
        )
        still.stored = try row.value("stored", StillRecord.Stored.init)
        for column in FrameColumn.all where !column.read(row[column.name], into: &still) {
            throw row.fault(column.name)
        }
        if still.kind == .still { throw row.fault("kind") }
        if (still.pictures ?? 1) < 1 { throw row.fault("pictures") }
        if still.kind == nil, still.bytes > FileLimit.picture { throw row.fault("bytes") }
        if !(still.tags ?? []).allSatisfy(StillRequest.isValid(tag:)) { throw row.fault("tags") }
        if !(0...StillRequest.averageRange.upperBound).contains(still.average ?? 0) { throw row.fault("average") }
        self.init(
            still: still,
            path: try row.value("path") { SpoolPath.isPossible($0, of: camera) ? $0 : nil },
            sha256: try row.checksum("sha256"),
            storedAt: try row.moment("storedAt"),
            bootID: try row.value("bootID") { $0 },
            storedMonotonic: MonotonicTime(nanoseconds: try row.integer("storedMonotonicNs", in: 0...Int64.max)),
            isClockSynchronized: try row.flag("isClockSynchronized"),
            source: try row.value("source", FrameSource.init),
            isPinned: try row.flag("pinned"),
            isLost: try row.flag("isLost"),
            number: try row.integer("number", in: Self.numbers)
        )
    }
}

extension FrameRow {
    static func fetch(_ id: FrameID, _ database: Database) throws -> FrameRow? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM frame WHERE id = ?")
        return try fetchOne(statement, arguments: [id.databaseValue])
    }

    /// Converts the row to a frame record of the spool called `name`, with an absolute path.
    func frameRecord(in spool: String, named name: String) -> FrameRecord {
        var record = FrameRecord(still: still, storedAt: storedAt)
        (record.pinned, record.lost, record.source, record.spool) = (isPinned, isLost, source, name)
        (record.still.path, record.still.sha256) = ("\(spool)/\(path)", sha256)
        record.number = Int(number)
        return record
    }
}

/// Column of an optional field of the record, with the text of its header field, but whole numbers and flags as
/// integers, durations in nanoseconds, lists without spaces.
struct FrameColumn: Sendable {
    static let all = StillRecord.stored.filter { !$0.isRequired && !["path", "sha256"].contains($0.name) }
        .map(Self.init)

    /// Name of the field; `gapNs` for the duration `gapMs`.
    let name: String
    private let field: StillRecord.Field
    private let type: String

    init(_ field: StillRecord.Field) {
        type = field.valueSchema.type ?? ""
        name = type == "number" ? "\(field.name.dropLast(2))Ns" : field.name
        self.field = field
    }

    func value(of still: StillRecord) -> DatabaseValue {
        guard let text = field.headerText(still) else { return .null }
        return switch type {
        case "boolean": (text == "true" ? 1 : 0).databaseValue
        case "integer": Int64(text)?.databaseValue ?? .null
        case "number": Double(text).map { Int64(($0 * 1_000_000).rounded()).databaseValue } ?? .null
        case "array": text.replacing(", ", with: ",").databaseValue
        default: text.databaseValue
        }
    }

    /// Sets the field; false for a value that tintyped never writes.
    func read(_ value: DatabaseValue, into still: inout StillRecord) -> Bool {
        switch (type, value.storage) {
        case (_, .null): true
        case ("boolean", .int64(let number)):
            (0...1).contains(number) && field.read(number == 1 ? "true" : "false", &still)
        case ("integer", .int64(let number)): field.read("\(number)", &still)
        case ("number", .int64(let number)): number >= 0 && field.read("\(Double(number) / 1_000_000)", &still)
        case (_, .string(let text)): field.read(text, &still)
        default: false
        }
    }
}
