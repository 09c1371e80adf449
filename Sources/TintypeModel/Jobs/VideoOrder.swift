// SPDX-License-Identifier: Apache-2.0

/// Film or clip that a worker makes: `video` of a ``WorkOrder``.
package struct VideoOrder: Equatable, Codable, WireObject {
    package var kind: FrameKind
    /// Of a film, whose pictures the worker reads page by page.
    package var film: FilmStyle?
    /// Number of pictures of a film at the time of the order; more may come.
    package var pictures: Int?
    /// Whole bytes of the recording of a clip.
    package var bytes: Int?
    /// A clip stays as it was recorded, in Matroska.
    package var original: Bool?

    package init(_ kind: FrameKind) { self.kind = kind }

    package static let summary = "A film or clip to make."
    package static let fields: [Field] = [
        Field("kind", \.kind, "Film or clip."),
        Field("film", of: FilmStyle.schema, "The style of a film."),
        Field("pictures", \.pictures, "The number of pictures of a film.", .notNegative),
        Field("bytes", \.bytes, "The bytes of the recording of a clip.", .notNegative),
        Field("original", \.original, "Whether the pictures of a clip stay as they are, in Matroska."),
    ]
}

/// Film or clip that was made: `video` of a ``WorkReport``.
package struct VideoResult: Equatable, WireObject, WireRequest {
    package var bytes = 0
    package var width = 0
    package var height = 0
    package var durationMs = Milliseconds(.zero)
    package var pictures = 0

    package init() {}

    package init(bytes: Int, size: FrameSize, duration: Duration, pictures: Int) {
        (self.bytes, width, height, self.pictures) = (bytes, size.width, size.height, pictures)
        durationMs = Milliseconds(duration)
    }

    package static let summary = "A film or clip that was made."
    package static let fields: [Field] = [
        Field("bytes", \.bytes, "The bytes of its file.", .positive),
        Field("width", \.width, "Pixels a row.", .positive),
        Field("height", \.height, "Rows.", .positive),
        Field("durationMs", \.durationMs, "Its playing time."),
        Field("pictures", \.pictures, "The number of its pictures.", .positive),
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        guard bytes <= 1 << 40, max(width, height) <= 65_535 else {
            throw .invalid(field: "video", "is too large.", remedy: "Give at most 1 TiB and 65535x65535 pixels.")
        }
    }
}

/// Pictures of a film that its worker has read, oldest first.
package struct FilmPictures: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var bytes = 0
    /// Capture times of the first and the last one.
    package private(set) var from: Timestamp?
    package private(set) var until: Timestamp?
    /// Picture in the middle, which stands for the film.
    package private(set) var poster: FrameID?
    private var last: FrameID?

    package init() {}

    /// Adds a page of about `total` pictures; pictures that are read again count once.
    package mutating func add(_ page: [FrameRecord], of total: Int) {
        for frame in page where last.map({ $0 < frame.id }) ?? true {
            if count <= total / 2 { poster = frame.id }
            (from, until) = (from ?? frame.still.capturedAt, frame.still.capturedAt)
            (count, bytes, last) = (count + 1, bytes + frame.still.bytes, frame.id)
        }
    }
}
