// SPDX-License-Identifier: Apache-2.0

/// Record of a stored frame: its still's record and its state in the spool, encoded as one flat object.
package struct FrameRecord: Equatable, WireObject {
    /// Without the fields that only a reply has, such as ``StillRecord/phasesMs``.
    package var still: StillRecord
    package var storedAt: Timestamp
    package var pinned = false
    package var lost = false
    package var source = FrameSource.request
    package var spool = "default"
    package var number = 0
    package var id: FrameID { still.id }
    package static let summary = "The record of a stored frame: that of its still, and the changes since."

    /// Stored fields of the still's record (`path` and `stored` with a reduced meaning), then the frame's own.
    package static let fields: [Field] =
        StillRecord.stored.map { field in
            switch field.name {
            case "path": Field("path", \.still.path, "The file, even if the frame is lost.")
            case "stored":
                Field("stored", \.still.stored, "Its durability at the reply.", ["enum": ["durable", "written"]])
            default: field.within(\.still)
            }
        } + [
            Field("storedAt", \.storedAt, "When it was stored."),
            Field("pinned", \.pinned, "Whether the frame is pinned: retention never deletes it."),
            Field("lost", \.lost, "Whether its file is missing."),
            Field("source", \.source, "How it came into the spool."),
            Field("spool", \.spool, "The name of its spool."),
            Field("number", \.number, "Increases with each frame stored, even if the clock goes back.", ["minimum": 0]),
        ]
}

extension FrameRecord: Codable {
    package init(still: StillRecord, storedAt: Timestamp) { (self.still, self.storedAt) = (still, storedAt) }
    private enum CodingKeys: String, CodingKey { case storedAt, pinned, lost, source, spool, number }

    package init(from decoder: any Decoder) throws {
        still = try StillRecord(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        storedAt = try container.decode(Timestamp.self, forKey: .storedAt)
        pinned = try container.decode(Bool.self, forKey: .pinned)
        lost = try container.decode(Bool.self, forKey: .lost)
        source = try container.decode(FrameSource.self, forKey: .source)
        spool = try container.decode(String.self, forKey: .spool)
        number = try container.decode(Int.self, forKey: .number)
    }

    package func encode(to encoder: any Encoder) throws {
        try still.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(storedAt, forKey: .storedAt)
        try container.encode(pinned, forKey: .pinned)
        try container.encode(lost, forKey: .lost)
        try container.encode(source, forKey: .source)
        try container.encode(spool, forKey: .spool)
        try container.encode(number, forKey: .number)
    }
}

package struct FramePage: Equatable, Codable, WireObject {
    package var frames: [FrameRecord]
    package var next: FrameCursor?
    package var after: Int?
    package var unavailable: [String]?

    package init(frames: [FrameRecord], next: FrameCursor? = nil, after: Int? = nil, unavailable: [String]? = nil) {
        (self.frames, self.next, self.after, self.unavailable) = (frames, next, after, unavailable)
    }

    package static let summary = "A part of a list of frames."
    package static let fields: [Field] = [
        Field("frames", \.frames, "In the requested order; a page before the last may have fewer than asked for."),
        Field("next", \.next, "The cursor of the next page; missing on the last, and with after."),
        Field("after", \.after, "With after: the value for the next request.", ["minimum": 0]),
        Field("unavailable", \.unavailable, "Spools that did not answer, whose frames are left out; missing for none."),
    ]
}

package enum FrameSource: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case request
    case publish
    /// File without a catalog row, adopted by reconciliation.
    case reconcile
}

package enum FrameKind: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case still
    case film
    case clip
    private static let mediaTypes = ["jpg": "image/jpeg", "mp4": "video/mp4", "mkv": "video/x-matroska"]

    /// Media type of a stored file (RFC 6838).
    package static func mediaType(of path: String) -> String {
        mediaTypes[String(path.split(separator: ".").last ?? "")] ?? "application/octet-stream"
    }
}

/// A stored file that is read in parts; any thread.
package struct StoredFile: Sendable {
    package let mediaType: String
    package let bytes: Int
    package let whole: [UInt8]?
    /// Throws `spool-unavailable`, `deadline-exceeded`, and `frame-not-found` if the file has gone meanwhile.
    package let read: @Sendable (Range<Int>) async throws(Problem) -> [UInt8]

    package init(
        mediaType: String,
        bytes: Int,
        read: @escaping @Sendable (Range<Int>) async throws(Problem) -> [UInt8]
    ) {
        (self.mediaType, self.bytes, self.read) = (mediaType, bytes, read)
        whole = nil
    }

    package init(mediaType: String, _ bytes: [UInt8]) {
        (self.mediaType, self.bytes, whole) = (mediaType, bytes.count, bytes)
        read = { range throws(Problem) in Array(bytes[range]) }
    }

    /// Largest part to read at a time.
    package static let part = 256 << 10
}

package enum ThumbnailWidth {
    /// Accepted widths; narrower pictures are not enlarged.
    package static let range = 16...1920
    package static let standard = 320

    /// Width from a parameter, ``standard`` if nil; throws `invalid-request` unless it is a number in ``range``.
    package static func read(_ text: String?) throws(Problem) -> Int {
        guard let text else { return standard }
        guard let width = Int(text), range.contains(width) else {
            let wrong = "is not a whole number from \(range.lowerBound) to \(range.upperBound): “\(text)”."
            throw .invalid(field: "width", wrong, remedy: "Give such a number, or leave it out for \(standard).")
        }
        return width
    }
}
