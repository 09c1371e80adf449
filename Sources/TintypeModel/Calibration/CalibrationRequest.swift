// SPDX-License-Identifier: Apache-2.0

/// The body of `POST /v1/cameras/{camera}/calibration`: for how long the camera is watched for flashes.
package struct CalibrationRequest: Hashable, WireObject {
    /// By when the moments of the flashes must have been told, 1 ms to 10 min from now.
    package var deadline: Duration
    package var save: Bool

    /// A request that ends by `deadline`.
    package init(deadline: Duration, save: Bool = false) {
        self.deadline = deadline
        self.save = save
    }

    /// The deadlines that can be asked for, in milliseconds.
    package static let deadlineMsRange = StillRequest.deadlineMsRange

    package static let summary = "The length of a calibration, and what becomes of it."
    package static let fields: [Field] = [
        Field(
            "deadlineMs",
            of: Double.schema,
            "The time by which the moments of the flashes must have been told.",
            .range(deadlineMsRange),
            isRequired: true
        ),
        Field("save", \.save, "Whether the camera uses the measured lead from now on.", ["default": false]),
    ]
}

extension CalibrationRequest: FieldReadable, Encodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case deadlineMs, save
    }

    /// Reads `{"deadlineMs": …, "save": …}`; the first is needed.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the field.
    package init?(field value: FieldValue, at path: String) throws(Problem) {
        guard let fields = try FieldReader<CodingKeys>(value, at: path) else { return nil }
        self.init(deadline: try fields.milliseconds(.deadlineMs, in: Self.deadlineMsRange))
        save = try fields.value(.save, Bool.self) ?? save
    }

    /// Writes every field.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Milliseconds(deadline), forKey: .deadlineMs)
        try container.encode(save, forKey: .save)
    }
}

/// The body of `POST /v1/cameras/{camera}/calibration/flashes`: when the light changed.
package struct FlashList: Hashable, WireObject {
    /// In order; at each the light changes from dark to light or back.
    package var flashes: [Timestamp]

    /// A list of these moments.
    package init(_ flashes: [Timestamp]) { self.flashes = flashes }

    /// The numbers of flashes that can be told.
    package static let countRange = 8...200

    package static let summary = "The moments at which the light changed."
    package static let fields: [Field] = [
        Field(
            "flashes",
            of: [
                "type": "array", "items": Timestamp.schema, "minItems": .integer(countRange.lowerBound),
                "maxItems": .integer(countRange.upperBound),
            ],
            """
            The moments in order, by the clock of the daemon's machine. At each the light changes from dark to light \
            or from light to dark. The times between them must be random, and at least five times as long as the \
            interval of the frames.
            """,
            isRequired: true
        )
    ]
}

extension FlashList: FieldReadable, Encodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case flashes
    }

    /// Reads `{"flashes": ["2026-11-21T14:30:12.345678Z", …]}`.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the field.
    package init?(field value: FieldValue, at path: String) throws(Problem) {
        guard let fields = try FieldReader<CodingKeys>(value, at: path) else { return nil }
        let wrong = "is no list of \(Self.countRange.lowerBound) to \(Self.countRange.upperBound) times in order."
        let remedy = "Give times such as 2026-11-21T14:30:12.345678Z, the earliest first."
        let flashes = try fields.texts(.flashes, wrong, remedy: remedy) { texts -> [Timestamp]? in
            let times = texts.compactMap { Timestamp($0) }
            let isOrdered = zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
            return times.count == texts.count && Self.countRange.contains(times.count) && isOrdered ? times : nil
        }
        guard let flashes else { throw .invalid(field: "flashes", "is missing.", remedy: remedy) }
        self.init(flashes)
    }
}
