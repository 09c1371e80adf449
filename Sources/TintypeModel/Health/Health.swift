// SPDX-License-Identifier: Apache-2.0

/// How the daemon is: the reply to `GET /healthz`, and the words of `tintype status`.
package struct Health: Equatable, Codable, WireObject {
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

/// One thing that is wrong with the daemon's work, and what to do about it.
package struct HealthReason: Equatable, Codable, WireObject {
    /// What is wrong, in kind; stable, for scripts.
    package enum Code: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        /// The file system of a spool is nearly full.
        case spoolLow = "spool-low"
        /// A spool has no room for pictures.
        case spoolFull = "spool-full"
        /// A spool cannot be used.
        case spoolUnavailable = "spool-unavailable"
        /// The device of a configured camera is not there.
        case cameraAbsent = "camera-absent"
        /// The daemon may not open a camera.
        case cameraDenied = "camera-denied"
        /// Something other than the mode of its node keeps the daemon from a camera.
        case cameraRestricted = "camera-restricted"
        /// A driver call has not returned.
        case driverStuck = "driver-stuck"
        /// The stream of a camera broke off, or cannot begin.
        case cameraFailing = "camera-failing"
        /// The stream of a camera breaks off and comes back again and again.
        case cameraDegraded = "camera-degraded"
        /// The last stills of a camera failed, one after the other.
        case stillsFail = "stills-fail"
        /// A schedule could not publish its last picture.
        case notPublished = "not-published"
    }

    package var code: Code
    package var camera: String?
    package var spool: String?
    package var detail: String
    package var remedy: String

    /// A reason of these parts.
    package init(_ code: Code, camera: String? = nil, spool: String? = nil, _ detail: String, remedy: String) {
        self.code = code
        self.camera = camera
        self.spool = spool
        self.detail = detail
        self.remedy = remedy
    }

    package static let summary = "One thing that is wrong with the daemon's work."
    package static let fields: [Field] = [
        Field("code", \.code, "The stable name of the kind of fault."),
        Field("camera", \.camera, "The camera that is affected; missing for a spool."),
        Field("spool", \.spool, "The spool that is affected; missing for a camera."),
        Field("detail", \.detail, "The fault, in a sentence."),
        Field("remedy", \.remedy, "The remedy, in a sentence."),
    ]
}
