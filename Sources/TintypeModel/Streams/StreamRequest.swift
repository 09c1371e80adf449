// SPDX-License-Identifier: Apache-2.0

package struct StreamRequest: Hashable, WireRequest {
    package var picture = StillRequest(integrity: .tolerant, keep: false)
    /// Maximum pictures per second; nil for every frame.
    package var rate: Double?
    /// Sends a drawn picture that names the problem while no other is available.
    package var placeholder = false
    /// Sends the header of each part together with the preceding picture; nil to do so for browsers.
    package var advanceHeaders: Bool?
    package init() {}
    package init(rate: Double?) { self.rate = rate }
    package static let highestRate = 1000
    private static let rateRules: OrderedJSON = ["exclusiveMinimum": 0, "maximum": .integer(highestRate)]
    /// Minimum time between two pictures, at most a day; zero for every frame.
    package var interval: Duration { rate.map { .seconds(min(1 / $0, 86_400)) } ?? .zero }

    /// Fields of ``StillRequest`` that apply to streams.
    private static let pictureFields = [
        "deadlineMs", "settle", "integrity", "width", "height", "crop", "rotate", "flip", "lossless", "quality",
        "overlay", "reject", "open",
    ]

    package static let fields: [WireField<StreamRequest>] =
        [
            WireField("rate", \.rate, "The most pictures a second; missing for every frame.", rateRules),
            WireField(
                "placeholder",
                \.placeholder,
                """
                Whether a drawn picture that names the problem, with the header field Tintype-Placeholder, is sent while \
                there is no other. Without it, the reply is the problem, and a stream that has begun ends.
                """,
                ["default": false]
            ),
            WireField(
                "advanceHeaders",
                \.advanceHeaders,
                """
                Whether the header of each part is sent with the picture before it, for Chromium, which shows a picture \
                only with the next header; missing for browsers (User-Agent: Mozilla/…) only.
                """
            ),
        ]
        + StillRequest.fields.filter { pictureFields.contains($0.name) }.map { field in
            switch field.name {
            case "deadlineMs":
                return field.described("The longest time without a picture; then the stream ends.").within(\.picture)
            case "integrity":
                return WireField(field.name, \.picture.integrity, field.description, ["default": "tolerant"])
            default: return field.within(\.picture)
            }
        }

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) { try picture.check(given) }
}

package struct StreamedPicture: Hashable, Sendable {
    package var jpeg: [UInt8]
    /// `sequence` of `v4l2_buffer`; nil for a placeholder.
    package var sequence: UInt32?
    /// Start of exposure; for a placeholder, the time of drawing.
    package var capturedAt: Timestamp
    package var age: Duration
    /// Reason for a placeholder; nil for a camera picture.
    package var placeholder: ProblemCode?

    package init(jpeg: [UInt8], sequence: UInt32?, capturedAt: Timestamp, age: Duration, placeholder: ProblemCode?) {
        (self.jpeg, self.sequence, self.capturedAt) = (jpeg, sequence, capturedAt)
        (self.age, self.placeholder) = (age, placeholder)
    }
}

/// Live pictures of several cameras in one reply.
package struct CombinedStreamRequest: Hashable, WireRequest {
    /// Nil for all cameras of the client.
    package var cameras: [String]?
    /// Cameras that may be opened; the others are shown while they run.
    package var opened: [String] = []
    package var stream = StreamRequest()
    package init() {}

    private static let ownFields: [WireField<Self>] = [
        WireField("camera", \.cameras, "Names, comma-separated; missing for all cameras of the client."),
        WireField("open", \.opened, "Names of those to open; others are shown while they run.", isRequired: false),
    ]
    /// Fields of ``StreamRequest`` without those that the parts of several cameras cannot have.
    package static let fields: [WireField<Self>] =
        ownFields
        + StreamRequest.fields.filter { !["open", "placeholder", "advanceHeaders"].contains($0.name) }.map { field in
            let isLimit = field.name == "deadlineMs"
            let inner = isLimit ? field.described("The longest time without a picture, or its problem.") : field
            return inner.within(\.stream)
        }

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        try given.refuseEmptyNames("camera", "open")
        if let cameras, let other = opened.first(where: { !cameras.contains($0) }) {
            let remedy = "Name it in camera too, or leave it out."
            throw .invalid(field: "open", "names “\(other)”, which is not in camera.", remedy: remedy)
        }
        try stream.check(given)
    }
}

package struct StreamStatus: Equatable, Codable, WireObject {
    package var id: UInt64
    package var since: Timestamp
    package var rate: Double?
    package var width: Int?
    package var quality: Int?
    package var sent: UInt64 = 0
    package var framesPerSecond: Double?
    package var dropped: UInt64 = 0
    package var bytes: UInt64 = 0

    package init(id: UInt64, since: Timestamp, _ request: StreamRequest) {
        (self.id, self.since) = (id, since)
        rate = request.rate
        width = request.picture.rendering.width
        quality = request.picture.rendering.quality
    }

    package static let summary = "A client of a camera's stream."
    package static let fields: [Field] = [
        Field("id", \.id, "The number of the stream since the daemon started."),
        Field("since", \.since, "The beginning of the stream."),
        Field("rate", \.rate, "The most pictures a second that it asked for; missing for every frame."),
        Field("width", \.width, "The greatest width that it asked for; missing for any."),
        Field("quality", \.quality, "The JPEG quality that it asked for; missing for that of the camera."),
        Field("sent", \.sent, "Pictures sent to it."),
        Field("framesPerSecond", \.framesPerSecond, "Its current picture rate; missing in the first second."),
        Field("dropped", \.dropped, "Due pictures not sent: it had not read the one before, or they were damaged."),
        Field("bytes", \.bytes, "The bytes of the pictures sent to it."),
    ]
}
