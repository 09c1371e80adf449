// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel
internal import TintypeStills

/// The leads that the daemon measures.
extension Cameras {
    func calibrate(_ request: CalibrationRequest, of name: String) async throws(Problem) -> Calibration {
        let camera = try await find(name)
        if request.save, case .fixed(let lead) = camera.lead {
            throw Problem(
                .configurationConflict,
                "The lead of the camera \(name) is \(SpokenDuration.text(lead)) by the configuration (cameras.\(name).lead).",
                remedy: "Remove it there to use a calibration, or calibrate without saving."
            )
        }
        // Before a minute of flashes, not after it.
        if request.save { try await calibrations.prepare() }
        var calibration = try await CalibrationOutput(session: camera.session).measure(request, camera.flashes)
        guard request.save else { return calibration }
        if calibration.timestampSource == .dequeue {
            throw Problem(
                .configurationUnsupported,
                "The driver of the camera \(name) gives no time stamps that can be believed, so no lead can be used with them.",
                remedy: "Calibrate without saving to see the delay."
            )
        }
        calibration.saved = true
        try await calibrations.save(calibration)
        try await camera.use(calibration)
        return calibration
    }

    func tell(_ flashes: FlashList, of name: String) async throws(Problem) {
        // The frames go by the monotonic clock; what is farther away than its range was not watched.
        let (now, wall) = (MonotonicTime.now(), Timestamp.now())
        let moments = flashes.flashes.map { now - min(max(wall - $0, .seconds(-1)), .seconds(86_400)) }
        try await find(name).flashes.tell(moments, upTo: now, to: name)
    }

    func removeCalibration(of name: String) async throws(Problem) {
        let camera = try await find(name)
        try await calibrations.remove(name)
        try await camera.use(nil)
    }
}
