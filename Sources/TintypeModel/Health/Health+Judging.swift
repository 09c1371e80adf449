// SPDX-License-Identifier: Apache-2.0

extension Health {
    /// The only place that decides the health; each cause is reported once: a schedule adds no reason for a camera or
    /// spool that failed, or for a picture that it refused.
    package init(version: String, cameras: [CameraStatus], spools: [SpoolReport]) {
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
        let reasons = ofSpools + ofCameras + ofSchedules
        let isFailing =
            !spools.isEmpty && takesNothing == spools.count || !cameras.isEmpty && givesNothing == cameras.count
        self.init(
            status: isFailing ? .failing : reasons.isEmpty ? .ok : .degraded,
            version: version,
            reasons: reasons.isEmpty ? nil : reasons
        )
    }
}

extension HealthReason {
    /// Reason for a full, nearly full or unavailable spool; nil otherwise.
    fileprivate init?(spool: SpoolReport) {
        switch spool.state {
        case .full(let reason, _): self.init(.spoolFull, spool: spool.spool, reason.detail, remedy: reason.remedy)
        case .unavailable(let reason, _, _):
            self.init(.spoolUnavailable, spool: spool.spool, reason.detail, remedy: reason.remedy)
        case .available:
            guard let room = spool.room, room.isLow else { return nil }
            self.init(
                .spoolLow,
                spool: spool.spool,
                "The file system of the spool \(spool.folder) has \(HumanBytes.rounded(room.freeBytes)) bytes left.",
                remedy: "Free some space, or have retention delete old pictures (minFree in the configuration)."
            )
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
            return
        }
        if case .degraded(let reason) = status.state {
            self.init(.cameraDegraded, camera: name, reason.detail, remedy: reason.remedy)
            return
        }
        // An attempt to open a camera again is no recovery.
        if let reason = status.state.reason ?? status.failure {
            let code: Code =
                switch reason.code {
                case .cameraDenied: .cameraDenied
                case .cameraRestricted: .cameraRestricted
                case .driverStuck: .driverStuck
                default: .cameraFailing
                }
            let detail = "The camera \(name) gives no pictures. \(reason.detail)"
            self.init(code, camera: name, detail, remedy: reason.remedy)
            return
        }
        switch status.authorization {
        case .denied(let remedy):
            self.init(.cameraDenied, camera: name, "The daemon may not open the camera \(name).", remedy: remedy)
        case .restricted(let by):
            self.init(
                .cameraRestricted,
                camera: name,
                "The daemon is kept from the camera \(name) by \(by).",
                remedy: "Allow it in the unit (DeviceAllow=char-video4linux rw) or in the container."
            )
        case .absent:
            self.init(
                .cameraAbsent,
                camera: name,
                "The camera \(name) is not there.",
                remedy: "Plug it in, or correct its match in the configuration: “tintype cameras” lists what is there."
            )
        case .authorized:
            guard let failing = status.failing, failing.isLasting else { return nil }
            let detail = "The last \(failing.count) stills of the camera \(name) failed. \(failing.problem.detail)"
            self.init(.stillsFail, camera: name, detail, remedy: failing.problem.remedy)
        }
    }

    fileprivate init(_ camera: String, _ schedule: String, _ problem: Problem) {
        self.init(
            .notPublished,
            camera: camera,
            "The last picture of the camera \(camera) by the schedule “\(schedule)” is missing. \(problem.detail)",
            remedy: problem.remedy
        )
    }
}
