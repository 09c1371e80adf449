// SPDX-License-Identifier: Apache-2.0

package struct StreamRequest: Hashable, WireRequest {
    /// Rendering, required integrity, and time limit of each picture.
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
