// SPDX-License-Identifier: Apache-2.0

/// What is wanted of a still.
package struct StillRequest: Hashable, Sendable {
    /// How fresh it has to be.
    package var fresh: Freshness
    /// How long it may take in all, 1 ms to 10 min; then `deadline-exceeded`.
    package var deadline: Duration
    /// JPEG quality, 1 to 100; nil for the camera's own.
    ///
    /// Without effect on a camera that delivers JPEG, whose pictures pass through untouched.
    package var quality: Int?
    /// Whether it is stored in the spool.
    package var keep: Bool
    /// How durable the stored file is before the reply.
    package var durability: Durability

    /// A request; what is left out has the default of DESIGN, section 5.
    package init(
        fresh: Freshness = .request,
        deadline: Duration = .seconds(5),
        quality: Int? = nil,
        keep: Bool = true,
        durability: Durability = .full
    ) {
        self.fresh = fresh
        self.deadline = deadline
        self.quality = quality
        self.keep = keep
        self.durability = durability
    }

    /// The JPEG quality of a camera where its configuration says nothing.
    package static let defaultQuality = 90
    /// The deadlines that can be asked for, in milliseconds.
    package static let deadlineMsRange: ClosedRange<Double> = 1...600_000
    /// The JPEG qualities that can be asked for.
    package static let qualityRange = 1...100
}

extension StillRequest: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case fresh, deadlineMs, quality, keep, durability
    }

    /// Reads the JSON body of `POST …/stills`; every field may be left out.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the field for unknown ones, wrong types and values
    /// out of range.
    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader<CodingKeys>(decoder)
        self.init()
        fresh = try fields.value(.fresh, Freshness.self) ?? fresh
        deadline = try fields.optionalMilliseconds(.deadlineMs, in: Self.deadlineMsRange) ?? deadline
        quality = try fields.integer(.quality, in: Self.qualityRange) ?? quality
        keep = try fields.value(.keep, Bool.self) ?? keep
        durability = try fields.word(.durability, Durability.self) ?? durability
    }

    /// Writes every field.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(fresh, forKey: .fresh)
        try container.encode(Milliseconds(deadline), forKey: .deadlineMs)
        try container.encodeIfPresent(quality, forKey: .quality)
        try container.encode(keep, forKey: .keep)
        try container.encode(durability, forKey: .durability)
    }
}
