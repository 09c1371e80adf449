// SPDX-License-Identifier: Apache-2.0

/// Body of `POST /v1/cameras/{camera}/hold`: a lease that keeps the camera streaming.
package struct HoldRequest: Hashable, WireObject, WireRequest {
    package var owner = ""
    /// From the arrival of the request; in ``durationMsRange``.
    package var forMs = Milliseconds(.zero)
    package var duration: Duration { forMs.duration }

    package init() {}

    package init(owner: String, duration: Duration) {
        self.owner = owner
        forMs = Milliseconds(duration)
    }

    /// Accepted durations: 1 ms to 24 h, because an unlimited lease would equal a hot camera.
    package static let durationMsRange: ClosedRange<Double> = 1...86_400_000
    package static let mostOwners = 32

    /// Accepted lengths of an owner's name, in characters.
    static let ownerRange = 1...64

    /// Owners of the daemon's own leases, for motion detection, codes, triggers and publishing; the second schedule's is
    /// `publish-2`.
    package static let (motion, codes, publish, trigger) = ("motion", "codes", "publish", "trigger")

    package static func isOfDaemon(_ owner: String) -> Bool {
        [motion, codes, publish, trigger].contains(owner) || owner.wholeMatch(of: /publish-[0-9]+/) != nil
    }

    /// True for 1 to 64 characters and at most 256 bytes, without control characters and line separators.
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
        Field("forMs", \.forMs, "The time from now, at most 24 h; never shortens a lease.", .range(durationMsRange)),
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        if !Self.isValid(owner: owner) { throw .invalidOwner }
    }
}

extension Problem {
    static let invalidOwner = Problem.invalid(
        field: "owner",
        "is empty, has more than \(HoldRequest.ownerRange.upperBound) characters, or has a control character in it.",
        remedy: "Give a name of 1 to \(HoldRequest.ownerRange.upperBound) characters."
    )
}

/// Body of `POST /v1/cameras/{camera}/release`: the lease to end.
package struct ReleaseRequest: Hashable, WireObject, WireRequest {
    package var owner: String?

    package init() {}
    /// Ends the lease of `owner`, or all leases if nil.
    package init(owner: String?) { self.owner = owner }

    package static let summary = "The lease that ends."
    package static let fields: [Field] = [
        Field("owner", \.owner, "The owner of the lease; missing to end all leases.", .length(HoldRequest.ownerRange))
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        if let owner, !HoldRequest.isValid(owner: owner) { throw .invalidOwner }
    }
}

package struct CameraHold: Equatable, Codable, WireObject {
    /// Valid by ``HoldRequest/isValid(owner:)``.
    package var owner: String
    package var until: Timestamp

    package init(owner: String, until: Timestamp) { (self.owner, self.until) = (owner, until) }

    package static let summary = "A lease on a camera: it streams until the lease is released or has expired."
    package static let fields: [Field] = [
        Field("owner", \.owner, "The owner of the lease; no control characters.", .length(HoldRequest.ownerRange)),
        Field("until", \.until, "The end of the lease."),
    ]
}

package struct HoldList: Equatable, Codable, WireObject {
    package var holds: [CameraHold]

    package init(holds: [CameraHold]) { self.holds = holds }

    package static let summary = "Leases, by owner."
    package static let fields: [Field] = [Field("holds", \.holds)]
}
