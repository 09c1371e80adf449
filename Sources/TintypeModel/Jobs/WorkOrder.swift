// SPDX-License-Identifier: Apache-2.0

/// Line of the reply to `POST /v1/work`: an order to the worker.
package struct WorkOrder: Equatable, Codable, WireObject {
    package enum Action: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case begin
        /// End the batch at once, and leave no partial file under a final name.
        case stop
        /// Nothing to do: the line shows that the daemon is there.
        case idle
    }

    package var action: Action
    package var batch: String?
    package var job: String?
    package var upload: UploadOptions?
    package var pictures: [WorkPicture]?
    package var video: VideoOrder?
    package init(_ action: Action, batch: String? = nil) { (self.action, self.batch) = (action, batch) }
    package static let batchSize = 50
    package static let mediaType = "application/jsonl"
    package static let summary = "An order to the worker; begin has batch, job, and upload or video, stop the batch."
    package static let fields: [Field] = [
        Field("action", \.action, "What to do."),
        Field("batch", \.batch, "The id of the batch."),
        Field("job", \.job, "The id of its job."),
        Field("upload", \.upload, "Where and how its pictures are uploaded."),
        Field("pictures", \.pictures, "Its pictures, in order, at most 50."),
        Field("video", \.video, "The film or clip to make, in place of upload and pictures."),
    ]
}

package struct WorkPicture: Equatable, Codable, WireObject {
    package var id: FrameID
    package var camera: String
    package var path: String
    package var bytes: Int
    package var capturedAt: Timestamp
    package var record: FrameRecord?

    package init(id: FrameID, camera: String, path: String, bytes: Int, capturedAt: Timestamp) {
        (self.id, self.camera, self.path) = (id, camera, path)
        (self.bytes, self.capturedAt) = (bytes, capturedAt)
    }

    package static let summary = "A picture of a batch; its bytes are at /v1/work/{batch}/{frame}."
    package static let fields: [Field] = [
        Field("id", \.id, "The id of the frame."),
        Field("camera", \.camera, "Its camera."),
        Field("path", \.path, "Its path within the folder of the camera."),
        Field("bytes", \.bytes, "The length of the file.", .notNegative),
        Field("capturedAt", \.capturedAt, "The time of its capture."),
        Field("record", \.record, "Its record, if it is put beside the picture."),
    ]
}

/// Body of `POST /v1/work/{batch}`: results since the last report of the batch.
package struct WorkReport: Equatable, WireObject, WireRequest {
    package struct Failure: Equatable, WireObject, WireRequest {
        package var id = FrameID(high: 0, low: 0)
        package var error = ""
        package var isFinal = false
        package init() {}

        package init(id: FrameID, error: String, isFinal: Bool) {
            (self.id, self.error, self.isFinal) = (id, error, isFinal)
        }

        package static let schemaName: String? = "WorkFailure"
        package static let summary = "A picture that was not delivered."
        package static let fields: [Field] = [
            Field("id", \.id, "The id of the frame."),
            Field("error", \.error, "The reason."),
            Field("isFinal", \.isFinal, "Whether another attempt is useless."),
        ]
    }

    package var done: [FrameID] = []
    package var failures: [Failure] = []
    package var bytes = 0
    package var isOver = false
    package var error: String?
    package var isFatal = false
    package var progress: Double?
    package var video: VideoResult?
    package init() {}
    package static let summary = "Results of a batch since the report before."
    package static let fields: [Field] = [
        Field("done", \.done, "The pictures that the target has, whole.", ["default": []]),
        Field("failures", \.failures, "The pictures that were not delivered.", ["default": []]),
        Field("bytes", \.bytes, "Bytes of the batch that were sent so far.", .notNegative.defaulting(to: 0)),
        Field("isOver", \.isOver, "Whether the batch has ended; the rest of it waits again.", ["default": false]),
        Field("error", \.error, "The reason why a batch ended early."),
        Field("isFatal", \.isFatal, "Whether nothing can be uploaded before a correction.", ["default": false]),
        Field("progress", \.progress, "Part of the film or clip that is done, from 0 to 1.", .range(0...1)),
        Field("video", \.video, "The film or clip, whose file the daemon has; only with isOver."),
    ]
}

/// Film or clip that a worker makes: `video` of a ``WorkOrder``.
package struct VideoOrder: Equatable, Codable, WireObject {
    package var kind: FrameKind
    package var film: FilmStyle?
    /// Number of pictures of a film at the time of the order; more may come.
    package var pictures: Int?
    package var bytes: Int?
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
        let limits = [("bytes", bytes, 1 << 40), ("width", width, 65_535), ("height", height, 65_535)]
        for (name, number, most) in limits where number > most {
            let wrong = "is not a whole number from 1 to \(most)."
            throw .invalid(field: "video.\(name)", wrong, remedy: "Give such a number.")
        }
    }
}

/// Pictures of a film that its worker has read, oldest first.
package struct FilmPictures: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var bytes = 0
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
