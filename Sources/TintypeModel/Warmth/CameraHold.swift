// SPDX-License-Identifier: Apache-2.0

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
