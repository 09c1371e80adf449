// SPDX-License-Identifier: Apache-2.0

package struct StreamRequest: Hashable, Sendable {
    /// Rendering, required integrity, and time limit of each picture.
    package var picture: StillRequest
    /// Maximum pictures per second; nil for every frame.
    package var rate: Double?
    /// Sends a drawn picture that names the problem while no other is available.
    package var placeholder = false
    /// Sends the header of each part together with the preceding picture; nil to do so for browsers.
    package var advanceHeaders: Bool?

    package init(picture: StillRequest = StillRequest(integrity: .tolerant, keep: false), rate: Double? = nil) {
        (self.picture, self.rate) = (picture, rate)
    }

    package static let highestRate = 1000

    /// Minimum time between two pictures, at most a day; zero for every frame.
    package var interval: Duration { rate.map { .seconds(min(1 / $0, 86_400)) } ?? .zero }

    /// Fields of ``StillRequest`` that apply to streams.
    private static let pictureFields = [
        "deadlineMs", "settle", "integrity", "width", "height", "crop", "rotate", "flip", "lossless", "quality",
        "overlay", "reject", "open",
    ]

    package static let queryFields: [WireField<StreamRequest>] =
        [
            WireField(
                "rate",
                of: Double.schema,
                "The most pictures a second; every frame if it is missing. A client that is slower misses pictures.",
                ["exclusiveMinimum": 0, "maximum": .integer(highestRate)]
            ),
            WireField(
                "placeholder",
                \.placeholder,
                """
                Whether a drawn picture that names the problem is sent while the camera has no picture. Such a part has \
                the header field Tintype-Placeholder with the code of the problem. Without it, the reply is the problem, \
                and a stream that has begun ends.
                """,
                ["default": false]
            ),
            WireField(
                "advanceHeaders",
                \.advanceHeaders,
                """
                Whether the header of each part is sent with the picture before it, and has no field but Content-Type: \
                Chromium and browsers like it show a picture only when they have the header of the next one. If it is \
                missing, this is done for browsers (User-Agent: Mozilla/…).
                """
            ),
        ]
        + StillRequest.fields.filter { pictureFields.contains($0.name) }.map { field in
            switch field.name {
            case "deadlineMs":
                let description = "The longest time without a picture; then the stream ends."
                return WireField(field.name, of: field.valueSchema, description)
            case "integrity":
                return WireField(field.name, \.picture.integrity, field.description, ["default": "tolerant"])
            default: return field.within(\.picture)
            }
        }

    /// Reads the decoded query parameters of `GET …/stream.mjpg`; throws `invalid-request` with the parameter's name.
    package init(query parameters: [(name: String, value: String)]) throws(Problem) {
        self.init()
        guard !parameters.isEmpty else { return }
        var fields = try [String: FieldValue](query: parameters, of: Self.queryFields)
        fields["keep"] = .flag(false)
        fields["integrity"] = fields["integrity"] ?? .text(Integrity.tolerant.rawValue)
        let reader = FieldReader<Keys>(query: fields)
        rate = try reader.read(
            .rate,
            "is not a number above 0 and at most \(Self.highestRate).",
            remedy: "Give the most pictures a second, or leave it out for every frame."
        ) { (rate: Double) in rate > 0 && rate <= Double(Self.highestRate) ? rate : nil }
        let (wrong, remedy) = ("is not true or false.", "Give one of them, or leave it out.")
        placeholder = try reader.value(.placeholder, Bool.self, wrong, remedy: remedy) ?? false
        advanceHeaders = try reader.value(.advanceHeaders, Bool.self, wrong, remedy: remedy)
        picture = try StillRequest(in: reader.fields(by: StillRequest.CodingKeys.self))
    }

    private enum Keys: String, CodingKey, CaseIterable { case rate, placeholder, advanceHeaders }
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
