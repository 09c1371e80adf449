// SPDX-License-Identifier: Apache-2.0

package struct Health: Equatable, Codable, WireObject {
    package enum Level: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case ok
        case degraded
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
        case cameraRestricted = "camera-restricted"
        case driverStuck = "driver-stuck"
        case cameraFailing = "camera-failing"
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

extension Health {
    /// The only place that decides the health; each cause is reported once: a schedule adds no reason for a camera or
    /// spool that failed, or for a picture that it refused.
    ///
    /// An alarm is always a reason, beside that of its camera: it has been asked for.
    package init(version: String, cameras: [CameraStatus], spools: [SpoolReport], jobs: [HealthReason] = []) {
        let ofSpools = spools.compactMap(HealthReason.init(spool:))
        let ofCameras = cameras.compactMap(HealthReason.init(camera:))
        let takesNothing = ofSpools.filter { $0.code != .spoolLow }.count
        let givesNothing = ofCameras.filter { $0.code != .cameraDegraded }.count
        let troubled = Set(ofCameras.compactMap(\.camera))
        let ofSchedules = cameras.filter { !troubled.contains($0.name) }.flatMap { camera in
            (camera.publishing ?? []).compactMap { status -> HealthReason? in
                guard let problem = status.problem, !problem.isRejection else { return nil }
                let isOfSpool = [.spoolFull, .spoolUnavailable].contains(problem.code)
                return isOfSpool && takesNothing > 0 ? nil : HealthReason(camera.name, status.schedule, problem)
            }
        }
        let ofAlarms = cameras.flatMap { camera in
            (camera.alarms ?? []).compactMap { HealthReason($0, of: camera.name) }
        }
        let reasons = ofSpools + ofCameras + ofAlarms + ofSchedules + jobs
        let isFailing =
            !spools.isEmpty && takesNothing == spools.count || !cameras.isEmpty && givesNothing == cameras.count
        let status: Level = isFailing ? .failing : reasons.isEmpty ? .ok : .degraded
        self.init(status: status, version: version, reasons: reasons.isEmpty ? nil : reasons)
    }
}

extension HealthReason {
    fileprivate init?(spool: SpoolReport) {
        if let reason = spool.state.reason {
            let code: Code = spool.state.name == .full ? .spoolFull : .spoolUnavailable
            self.init(code, spool: spool.spool, reason.detail, remedy: reason.remedy)
        } else if let room = spool.room, room.isLow {
            let left = HumanBytes.rounded(room.freeBytes)
            let detail = "The file system of the spool \(spool.folder) has \(left) bytes left."
            let remedy = "Free some space, or have retention delete old pictures (minFree in the configuration)."
            self.init(.spoolLow, spool: spool.spool, detail, remedy: remedy)
        } else {
            return nil
        }
    }

    fileprivate init?(camera status: CameraStatus) {
        let name = status.name
        if let call = status.stuckCall {
            self.init(
                .driverStuck,
                camera: name,
                "The driver of the camera \(name) has not returned from \(call.name) for \(SpokenDuration.text(call.runningMs.duration)).",
                remedy: "Unplug the camera if this lasts; the camera continues when the call returns."
            )
        } else if status.state.name == .degraded, let reason = status.state.reason {
            self.init(.cameraDegraded, camera: name, reason.detail, remedy: reason.remedy)
        } else if let reason = status.state.reason ?? status.failure {
            // Also during an attempt to open the camera again, which is no recovery.
            let code: Code =
                switch reason.code {
                case .cameraDenied: .cameraDenied
                case .cameraRestricted: .cameraRestricted
                case .driverStuck: .driverStuck
                default: .cameraFailing
                }
            let detail = "The camera \(name) gives no pictures. \(reason.detail)"
            self.init(code, camera: name, detail, remedy: reason.remedy)
        } else if let remedy = status.authorization.remedy {
            self.init(.cameraDenied, camera: name, "The daemon may not open the camera \(name).", remedy: remedy)
        } else if let policy = status.authorization.by {
            let detail = "The daemon is kept from the camera \(name) by \(policy)."
            let remedy = "Allow it in the unit (DeviceAllow=char-video4linux rw) or in the container."
            self.init(.cameraRestricted, camera: name, detail, remedy: remedy)
        } else if status.authorization == .absent {
            self.init(
                .cameraAbsent,
                camera: name,
                "The camera \(name) is not there.",
                remedy: "Plug it in, or correct its match in the configuration: “tintype cameras” lists what is there."
            )
        } else if let failing = status.failing, failing.isLasting {
            let detail = "The last \(failing.count) stills of the camera \(name) failed. \(failing.problem.detail)"
            self.init(.stillsFail, camera: name, detail, remedy: failing.problem.remedy)
        } else {
            return nil
        }
    }

    fileprivate init?(_ status: AlarmStatus, of camera: String) {
        guard let since = status.since else { return nil }
        let (alarm, time) = (status.alarm, "since \(since)")
        self.init(.cameraAlarm, camera: camera, alarm.text(of: camera, time), remedy: alarm.remedy(for: camera))
        self.alarm = alarm
    }

    fileprivate init(_ camera: String, _ schedule: String, _ problem: Problem) {
        let detail =
            "The last picture of the camera \(camera) by the schedule “\(schedule)” is missing. \(problem.detail)"
        self.init(.notPublished, camera: camera, detail, remedy: problem.remedy)
    }
}
