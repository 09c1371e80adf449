// SPDX-License-Identifier: Apache-2.0

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
    /// Reason for a full, nearly full or unavailable spool; nil otherwise.
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

    /// Reason why a camera delivers no pictures, or unsteadily; nil otherwise.
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

    /// Nil while there is no alarm.
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
