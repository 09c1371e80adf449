// SPDX-License-Identifier: Apache-2.0

package enum SessionState: Hashable, Codable, WireObject {
    /// Closed; no client needs the device.
    case off
    case opening
    /// Waiting for the first good frame, or a client waits for exposure and white balance to settle.
    case settling
    /// Streaming, and no client waits for settling: it has settled or timed out, or none asked for it.
    case running
    /// The stream keeps failing and recovering; frames arrive in between.
    case degraded(reason: Problem)
    /// Closed after a failure; reopened at `nextAttempt`.
    case interrupted(reason: Problem, since: Timestamp, nextAttempt: Timestamp)
    /// Failed, or a driver call hangs; not retried until a client asks for the camera.
    case failed(reason: Problem)

    package static let summary = "The state of a capture session."
    package static let fields: [Field] = [
        Field("name", of: SessionState.Name.schema, "The state.", isRequired: true),
        Field("reason", of: Problem.schema, "The reason; with degraded, interrupted and failed."),
        Field("since", of: Timestamp.schema, "The begin of the interruption; with interrupted."),
        Field("nextAttempt", of: Timestamp.schema, "The time of the next attempt; with interrupted."),
    ]

    package enum Name: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case off, opening, settling, running, interrupted, failed, degraded
    }

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

    /// True if the device is open and streaming; a degraded stream counts even while it recovers.
    package var isStreaming: Bool {
        switch self {
        case .settling, .running, .degraded: true
        case .off, .opening, .interrupted, .failed: false
        }
    }

    package var reason: Problem? {
        switch self {
        case .degraded(let reason), .interrupted(let reason, _, _), .failed(let reason): reason
        case .off, .opening, .settling, .running: nil
        }
    }

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
