// SPDX-License-Identifier: Apache-2.0

package enum SpoolState: Hashable, Codable, WireObject {
    case available
    /// The last picture did not fit; the next one is tried anyway.
    case full(reason: Problem, since: Timestamp)
    /// Closed after a failure; reopened at `nextAttempt`, or for the first picture after that.
    case unavailable(reason: Problem, since: Timestamp, nextAttempt: Timestamp)

    package static let summary = "Whether a spool takes pictures now."
    package static let fields: [Field] = [
        Field(
            "name",
            of: SpoolState.Name.schema,
            "full: the last picture did not fit; the next is tried. unavailable: closed after a failure, retried.",
            isRequired: true
        ),
        Field("reason", of: Problem.schema),
        Field("since", of: Timestamp.schema, "When this state began; missing while the spool takes pictures."),
        Field("nextAttempt", of: Timestamp.schema, "The time of the next attempt to open it, if it is unavailable."),
    ]

    package enum Name: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case available, full, unavailable
    }

    package var name: Name {
        switch self {
        case .available: .available
        case .full: .full
        case .unavailable: .unavailable
        }
    }

    /// Nil if the spool is available.
    package var reason: Problem? { failure?.reason }
    package var since: Timestamp? { failure?.since }

    private var failure: (reason: Problem, since: Timestamp)? {
        switch self {
        case .available: nil
        case .full(let reason, let since), .unavailable(let reason, let since, _): (reason, since)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case name, reason, since, nextAttempt
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(Name.self, forKey: .name)
        guard name != .available else {
            self = .available
            return
        }
        let reason = try container.decode(Problem.self, forKey: .reason)
        let since = try container.decode(Timestamp.self, forKey: .since)
        self =
            name == .full
            ? .full(reason: reason, since: since)
            : .unavailable(
                reason: reason,
                since: since,
                nextAttempt: try container.decode(Timestamp.self, forKey: .nextAttempt)
            )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encodeIfPresent(since, forKey: .since)
        if case .unavailable(_, _, let nextAttempt) = self { try container.encode(nextAttempt, forKey: .nextAttempt) }
    }
}
