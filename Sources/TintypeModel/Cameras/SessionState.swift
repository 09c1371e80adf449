// SPDX-License-Identifier: Apache-2.0

package struct SessionState: Hashable, Codable, WireObject {
    package enum Name: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case off, opening, settling, running, interrupted, failed, degraded
    }

    package private(set) var name: Name
    package private(set) var reason: Problem?
    package private(set) var since: Timestamp?
    package private(set) var nextAttempt: Timestamp?

    /// Closed; no client needs the device.
    package static let off = Self(name: .off)
    package static let opening = Self(name: .opening)
    /// Waiting for the first good frame, or a client waits for exposure and white balance to settle.
    package static let settling = Self(name: .settling)
    /// Streaming, and no client waits for settling: it has settled or timed out, or none asked for it.
    package static let running = Self(name: .running)

    /// The stream keeps failing and recovering; frames arrive in between.
    package static func degraded(reason: Problem) -> Self { Self(name: .degraded, reason: reason) }

    /// Closed after a failure; reopened at `nextAttempt`.
    package static func interrupted(reason: Problem, since: Timestamp, nextAttempt: Timestamp) -> Self {
        Self(name: .interrupted, reason: reason, since: since, nextAttempt: nextAttempt)
    }

    /// Failed, or a driver call hangs; not retried until a client asks for the camera.
    package static func failed(reason: Problem) -> Self { Self(name: .failed, reason: reason) }

    /// True if the device is open and streaming; a degraded stream counts even while it recovers.
    package var isStreaming: Bool { [.settling, .running, .degraded].contains(name) }

    package static let summary = "The state of a capture session."
    package static let fields: [Field] = [
        Field("name", \.name, "The state."),
        Field("reason", \.reason, "The reason; with degraded, interrupted and failed."),
        Field("since", \.since, "The start of the interruption; with interrupted."),
        Field("nextAttempt", \.nextAttempt, "The time of the next attempt; with interrupted."),
    ]
}
