// SPDX-License-Identifier: Apache-2.0

/// How the daemon is: the reply to `GET /healthz`, and the words of `tintype status` and `tintype doctor`.
package struct Health: Hashable, Sendable, Codable {
    /// How much of the daemon's work is done.
    package enum Level: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        /// All of it.
        case ok
        /// Some of it, for the reasons that are given.
        case degraded
        /// None of it: no camera gives pictures, or no spool takes any.
        case failing
    }

    package var status: Level
    package var version: String
    package var reasons: [HealthReason]?

    /// A reply of these parts.
    package init(status: Level = .ok, version: String, reasons: [HealthReason]? = nil) {
        self.status = status
        self.version = version
        self.reasons = reasons
    }
}

extension Health.Level {
    /// The status of an HTTP reply with this level: 200, or 503 where nothing works (RFC 9110).
    package var httpStatus: Int { self == .failing ? 503 : 200 }

    /// The exit status of `tintype status`: 0, 4 or 5.
    package var exitStatus: Int32 {
        switch self {
        case .ok: 0
        case .degraded: 4
        case .failing: 5
        }
    }
}

extension Health: WireObject {
    package static let summary = "The health of the daemon: how much of its work succeeds."

    package static let fields: [Field] = [
        Field(
            "status",
            \.status,
            """
            ok: all of it. degraded: some of it. failing: none of it, because no camera gives pictures or no spool \
            takes any.
            """
        ),
        Field("version", \.version, "The daemon's version."),
        Field("reasons", \.reasons, "The things that are wrong, spools first; missing if there are none."),
    ]
}
