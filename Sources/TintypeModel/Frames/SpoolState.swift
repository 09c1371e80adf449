// SPDX-License-Identifier: Apache-2.0

package struct SpoolState: Hashable, Codable, WireObject {
    package enum Name: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case available, full, unavailable
    }

    package private(set) var name: Name
    package private(set) var reason: Problem?
    package private(set) var since: Timestamp?
    package private(set) var nextAttempt: Timestamp?

    package static let available = Self(name: .available)

    /// The last picture did not fit; the next one is tried anyway.
    package static func full(reason: Problem, since: Timestamp) -> Self {
        Self(name: .full, reason: reason, since: since)
    }

    /// Closed after a failure; reopened at `nextAttempt`, or for the first picture after that.
    package static func unavailable(reason: Problem, since: Timestamp, nextAttempt: Timestamp) -> Self {
        Self(name: .unavailable, reason: reason, since: since, nextAttempt: nextAttempt)
    }

    package static let summary = "Whether a spool takes pictures now."
    package static let fields: [Field] = [
        Field(
            "name",
            \.name,
            "full: the last picture did not fit; the next is tried. unavailable: closed after a failure, retried."
        ),
        Field("reason", \.reason),
        Field("since", \.since, "When this state began; missing while the spool takes pictures."),
        Field("nextAttempt", \.nextAttempt, "The time of the next attempt to open it, if it is unavailable."),
    ]
}
