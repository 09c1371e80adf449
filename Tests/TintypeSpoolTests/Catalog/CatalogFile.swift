// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// A catalog for one test without a spool.
struct CatalogFile {
    let catalog: Catalog
    let path: String
    private let folder: SpoolFolder

    init(isShared: Bool = true, limit: StatementLimit = StatementLimit(), clock: any MonotonicClock = .system) throws {
        folder = SpoolFolder()
        path = folder.path + ".sqlite"
        catalog = try Catalog(path: path, isShared: isShared, limit: limit, clock: clock, logger: .quiet)
    }

    /// Makes a catalog with these rows.
    init(_ rows: [FrameRow]) throws {
        try self.init()
        try catalog.insert(rows, isDurable: false, at: noon)
    }
}

extension Catalog {
    /// Returns the next rows in order of arrival after `last`.
    func inOrder(
        _ order: FrameOrder = .oldest,
        of cameras: Set<String>? = nil,
        pinned: Bool,
        lost: Bool,
        after last: FrameRow? = nil,
        limit: Int
    ) throws(Problem) -> [FrameRow] {
        let order = ArrivalOrder(order: order, cameras: cameras, isPinned: pinned, isLost: lost)
        return try rows(in: order, after: last?.place, limit: limit)
    }
}

/// A syntactically valid checksum.
let checksum = String(repeating: "0", count: 64)

extension FrameRow {
    /// A row captured `number` seconds after ``noon``.
    init(
        _ number: Int,
        camera: String = "door",
        bytes: Int = 100_000,
        size: FrameSize = FrameSize(width: 1280, height: 720),
        settled: Bool? = nil,
        verdict: Verdict? = .intact,
        tags: [String]? = nil,
        source: FrameSource = .request,
        isPinned: Bool = false,
        isLost: Bool = false,
        kind: FrameKind? = nil,
        microseconds: Int64 = 0
    ) {
        let time = Timestamp(microseconds: noon.microseconds + Int64(number) * 1_000_000 + microseconds)
        var still = StillRecord(
            id: FrameID(at: time),
            camera: camera,
            bytes: bytes,
            width: size.width,
            height: size.height,
            sequence: UInt32(truncatingIfNeeded: number),
            capturedAt: time,
            timestampSource: .startOfExposure
        )
        (still.stored, still.settled, still.verdict, still.tags) = (.durable, settled, verdict, tags)
        still.kind = kind
        if kind != nil { (still.durationMs, still.pictures, still.until) = (Milliseconds(.seconds(1)), 2, time) }
        self.init(
            still: still,
            path: "\(camera)/\(number)-\(microseconds).\(kind == nil ? "jpg" : "mp4")",
            sha256: checksum,
            storedAt: time,
            bootID: "boot",
            storedMonotonic: MonotonicTime(nanoseconds: 1),
            isClockSynchronized: true,
            source: source,
            isPinned: isPinned,
            isLost: isLost
        )
    }

    /// The row before the catalog gave it a number.
    var unnumbered: FrameRow {
        var row = self
        row.number = 0
        return row
    }
}

extension FrameFilter {
    /// Reference implementation of the filter on a single row, without SQL.
    func fits(_ row: FrameRow) -> Bool {
        switch self {
        case .all(let filters): filters.allSatisfy { $0.fits(row) }
        case .any(let filters): filters.contains { $0.fits(row) }
        case .not(let filter): !filter.fits(row)
        case .is(.camera(let name)): NamePattern.matches(name, row.camera)
        case .is(.tag(let tag)): (row.tags ?? []).contains { NamePattern.matches(tag, $0) }
        case .is(.verdict(let verdict)): row.verdict == verdict
        case .is(.settled(let isSettled)): row.settled == isSettled
        case .is(.pinned(let isPinned)): row.isPinned == isPinned
        case .is(.lost(let isLost)): row.isLost == isLost
        case .is(.id(let id)): row.id == id
        case .is(.kind(let kind)): (row.kind ?? .still) == kind
        case .is(.source(let source)): row.source == source
        case .is(.from(let time)): row.capturedAt >= time
        case .is(.to(let time)): row.capturedAt < time
        case .is(.since(let age)):
            row.capturedAt.microseconds >= Timestamp.now().microseconds - age.nanosecondCount / 1000
        case .is(.measure(.bytes, let range)): range.contains(row.bytes)
        case .is(.measure(.width, let range)): range.contains(row.width)
        case .is(.measure(.height, let range)): range.contains(row.height)
        }
    }
}
