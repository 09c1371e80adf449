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
    // As in ``StillRecord``; nil for a picture that was stored before these columns were, or found without a row.
    var settled: Bool?
    var verdict: Verdict?
    var faults: [PictureFault]?
    var appearance: [Appearance]?
    var tags: [String]?
    var average: Int?
    var gap: Duration?
    /// How it came into the spool.
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
