// SPDX-License-Identifier: Apache-2.0

package struct Health: Equatable, Codable, WireObject {
    package enum Level: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case ok
        case degraded
        /// No camera delivers pictures, or no spool accepts any.
        case failing

        /// HTTP status of the reply: 200, or 503 for `failing` (RFC 9110).
        package var httpStatus: Int { self == .failing ? 503 : 200 }

        /// Exit status of `tintype status`: 0, 4 or 5.
        package var exitStatus: Int32 {
            switch self {
            case .ok: 0
            case .degraded: 4
            case .failing: 5
            }
        }
    }

    package var status: Level
    package var version: String
    package var reasons: [HealthReason]?

    package init(status: Level = .ok, version: String, reasons: [HealthReason]? = nil) {
        (self.status, self.version, self.reasons) = (status, version, reasons)
    }

    package static let summary = "The health of the daemon: how much of its work succeeds."
    package static let fields: [Field] = [
        Field("status", \.status, "ok: all of it. degraded: some of it. failing: no camera or no spool works."),
        Field("version", \.version, "The daemon's version."),
        Field("reasons", \.reasons, "The faults, spools first; missing if there are none."),
    ]
}

package struct HealthReason: Equatable, Codable, WireObject {
    /// The raw values are stable.
    package enum Code: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case spoolLow = "spool-low"
        case spoolFull = "spool-full"
        case spoolUnavailable = "spool-unavailable"
        case cameraAbsent = "camera-absent"
        case cameraDenied = "camera-denied"
        /// Something other than the node's mode denies access to a camera.
        case cameraRestricted = "camera-restricted"
        case driverStuck = "driver-stuck"
        case cameraFailing = "camera-failing"
        /// The stream of a camera keeps failing and recovering.
        case cameraDegraded = "camera-degraded"
        case stillsFail = "stills-fail"
        case notPublished = "not-published"
        case cameraAlarm = "camera-alarm"
        /// Pictures wait, and no worker is connected.
        case jobWaiting = "job-waiting"
        case jobFailed = "job-failed"
        case jobBehind = "job-behind"
        /// Pictures were deleted before they were uploaded, in the last day.
        case picturesLost = "pictures-lost"
    }

    package var code: Code
    package var camera: String?
    package var spool: String?
    package var alarm: CameraAlarm?
    package var job: String?
    package var detail: String
    package var remedy: String

    package init(_ code: Code, camera: String? = nil, spool: String? = nil, _ detail: String, remedy: String) {
        (self.code, self.camera, self.spool, self.detail, self.remedy) = (code, camera, spool, detail, remedy)
    }

    /// Identity of the reason, whatever its numbers.
    package var cause: [String?] { [code.rawValue, camera, spool, alarm?.rawValue, job] }

    package static let summary = "A fault of the daemon, a camera, a spool or a job."
    package static let fields: [Field] = [
        Field("code", \.code, "The stable name of the kind of fault."),
        Field("camera", \.camera, "The camera that is affected; missing for a spool."),
        Field("spool", \.spool, "The spool that is affected; missing for a camera."),
        Field("alarm", \.alarm, "The alarm, with camera-alarm."),
        Field("job", \.job, "The job that is affected, with job-failed, job-behind and pictures-lost."),
        Field("detail", \.detail, "The fault, in a sentence."),
        Field("remedy", \.remedy, "The remedy, in a sentence."),
    ]
}
