// SPDX-License-Identifier: Apache-2.0

/// What a capture session is doing.
package enum SessionState: Hashable, WireObject {
    /// The device is closed, and no client asks for it.
    case off
    /// The device is being opened and configured.
    case opening
    /// The first good frame is awaited, or a client waits until exposure and white balance have settled.
    case settling
    /// Frames flow, and no client waits for them to settle: they have, they did not in time, or no client has asked.
    case running
    /// The stream breaks off and comes back again and again, for this reason; pictures come in between.
    case degraded(reason: Problem)
    /// The device is closed after a failure and is tried again at `nextAttempt`.
    case interrupted(reason: Problem, since: Timestamp, nextAttempt: Timestamp)
    /// The session cannot go on by itself.
    case failed(reason: Problem)

    package static let summary = "The state of a capture session."
    package static let fields: [Field] = [
        Field("name", of: SessionState.Name.schema, "The state.", isRequired: true),
        Field("reason", of: Problem.schema, "The reason; with degraded, interrupted and failed."),
        Field("since", of: Timestamp.schema, "The begin of the interruption; with interrupted."),
        Field("nextAttempt", of: Timestamp.schema, "The time of the next attempt; with interrupted."),
    ]
}

extension SessionState {
    /// The state without its payload.
    package enum Name: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case off, opening, settling, running, interrupted, failed, degraded
    }

    /// The state without its payload.
    package var name: Name {
        switch self {
        case .off: .off
        case .opening: .opening
        case .settling: .settling
        case .running: .running
        case .interrupted: .interrupted
        case .failed: .failed
        case .degraded: .degraded
        }
    }

    /// Whether the device is open and gives frames, or did a moment ago and will in a moment.
    package var isStreaming: Bool {
        switch self {
        case .settling, .running, .degraded: true
        case .off, .opening, .interrupted, .failed: false
        }
    }

    /// Why the session is degraded, interrupted or failed; nil in every other state.
    package var reason: Problem? {
        switch self {
        case .degraded(let reason), .interrupted(let reason, _, _), .failed(let reason): reason
        case .off, .opening, .settling, .running: nil
        }
    }
}

extension SessionState: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, reason, since, nextAttempt
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try container.decode(Name.self, forKey: .name) {
            case .off: .off
            case .opening: .opening
            case .settling: .settling
            case .running: .running
            case .interrupted:
                .interrupted(
                    reason: try container.decode(Problem.self, forKey: .reason),
                    since: try container.decode(Timestamp.self, forKey: .since),
                    nextAttempt: try container.decode(Timestamp.self, forKey: .nextAttempt)
                )
            case .failed: .failed(reason: try container.decode(Problem.self, forKey: .reason))
            case .degraded: .degraded(reason: try container.decode(Problem.self, forKey: .reason))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(reason, forKey: .reason)
        if case .interrupted(_, let since, let nextAttempt) = self {
            try container.encode(since, forKey: .since)
            try container.encode(nextAttempt, forKey: .nextAttempt)
        }
    }
}
