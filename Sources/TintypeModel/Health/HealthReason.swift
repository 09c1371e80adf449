// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong with the daemon's work, and what to do about it.
package struct HealthReason: Hashable, Sendable, Codable {
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
}

extension HealthReason: WireObject {
    package static let summary = "One thing that is wrong with the daemon's work."

    package static let fields: [Field] = [
        Field("code", \.code, "The stable name of the kind of fault."),
        Field("camera", \.camera, "The camera that is affected; missing for a spool."),
        Field("spool", \.spool, "The spool that is affected; missing for a camera."),
        Field("detail", \.detail, "The fault, in a sentence."),
        Field("remedy", \.remedy, "The remedy, in a sentence."),
    ]
}
