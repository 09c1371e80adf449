// SPDX-License-Identifier: Apache-2.0

/// The body of `POST /v1/cameras/{camera}/hold`: who wants the camera to stream, and for how long.
package struct HoldRequest: Hashable, WireObject {
    package var owner: String
    /// For how long from now, ``durationMsRange``.
    package var duration: Duration

    /// A request of `owner` for `duration`.
    package init(owner: String, duration: Duration) {
        self.owner = owner
        self.duration = duration
    }

    /// The durations that can be asked for, in milliseconds: 1 ms to 24 h.
    ///
    /// A lease that could last for ever would be another word for a hot camera.
    package static let durationMsRange: ClosedRange<Double> = 1...86_400_000
    /// The most leases that one camera can have at a time.
    package static let mostOwners = 32

    /// The lengths that an owner can have, in characters.
    static let ownerRange = 1...64

    /// The owners of the daemon's own leases, of a camera that it watches for motion and of one that it publishes; a camera's
    /// second schedule is `publish-2`.
    package static let (motion, publish) = ("motion", "publish")

    /// Whether a lease of `owner` is the daemon's own.
    package static func isOfDaemon(_ owner: String) -> Bool {
        owner == motion || owner == publish || owner.wholeMatch(of: /publish-[0-9]+/) != nil
    }

    /// Whether `owner` can be the owner of a lease: 1 to 64 characters, none of them a control character or a line break.
    package static func isValid(owner: String) -> Bool {
        ownerRange.contains(owner.count) && owner.utf8.count <= 256
            && owner.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }

    package static let summary =
        "The owner and the duration of a lease. A camera has at most \(mostOwners) owners at a time."
    package static let fields: [Field] = [
        Field("owner", \.owner, "The owner of the lease; no control characters.", .length(ownerRange)),
        Field(
            "forMs",
            of: Double.schema,
            "The duration of the lease from now, at most 24 h. A request never shortens a lease.",
            .range(durationMsRange),
            isRequired: true
        ),
    ]
}

extension HoldRequest: FieldsReadable, Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case owner, forMs
    }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        guard let owner = try fields.value(.owner, String.self) else {
            throw .invalid(field: "owner", "is missing.", remedy: "Give a name, by which the hold is released.")
        }
        guard Self.isValid(owner: owner) else { throw .invalidOwner }
        self.init(owner: owner, duration: try fields.milliseconds(.forMs, in: Self.durationMsRange))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(owner, forKey: .owner)
        try container.encode(Milliseconds(duration), forKey: .forMs)
    }
}

extension Problem {
    /// The refusal of an owner that ``HoldRequest/isValid(owner:)`` does not take.
    static let invalidOwner = Problem.invalid(
        field: "owner",
        "is empty, has more than \(HoldRequest.ownerRange.upperBound) characters, or has a control character in it.",
        remedy: "Give a name of 1 to \(HoldRequest.ownerRange.upperBound) characters."
    )
}

/// The body of `POST /v1/cameras/{camera}/release`: whose lease is to end.
package struct ReleaseRequest: Hashable, WireObject {
    package var owner: String?

    /// A request to end the lease of `owner`, or all.
    package init(owner: String? = nil) { self.owner = owner }

    package static let summary = "The lease that ends."
    package static let fields: [Field] = [
        Field("owner", \.owner, "The owner of the lease; missing to end all leases.", .length(HoldRequest.ownerRange))
    ]
}

extension ReleaseRequest: FieldsReadable, Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case owner
    }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        owner = try fields.value(.owner, String.self)
        if let owner, !HoldRequest.isValid(owner: owner) { throw .invalidOwner }
    }
}

/// A lease on a camera: it streams until the lease is released or has expired.
package struct CameraHold: Equatable, Codable, WireObject {
    /// Who holds the camera, ``HoldRequest/isValid(owner:)``.
    package var owner: String
    package var until: Timestamp

    /// A lease of `owner` until that moment.
    package init(owner: String, until: Timestamp) {
        self.owner = owner
        self.until = until
    }

    package static let summary = "A lease on a camera: it streams until the lease is released or has expired."
    package static let fields: [Field] = [
        Field("owner", \.owner, "The owner of the lease; no control characters.", .length(HoldRequest.ownerRange)),
        Field("until", \.until, "The end of the lease."),
    ]
}

/// The reply to `POST /v1/cameras/{camera}/release`.
package struct HoldList: Equatable, Codable, WireObject {
    /// The leases that are left, by owner.
    package var holds: [CameraHold]

    /// A list of `holds`.
    package init(holds: [CameraHold]) { self.holds = holds }

    package static let summary = "Leases, by owner."
    package static let fields: [Field] = [Field("holds", \.holds)]
}
