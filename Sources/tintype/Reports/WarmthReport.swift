// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Why a camera is open, and what a picture costs in time, as lines of its status.
enum WarmthReport {
    static func lines(_ camera: CameraStatus) -> [(name: String, value: String)] {
        var lines = [("warmth", camera.warmth.description + (camera.isStarted ? ", started" : ""))]
        for hold in camera.holds { lines.append(("held", "by \(hold.owner) until \(hold.until)")) }
        if camera.waiting > 0 { lines.append(("waiting", "\(camera.waiting) requests")) }
        let kinds = [
            ("when off", camera.latency.fromOff, "to the first frame"),
            ("when running", camera.latency.fromRunning, "to the next frame"),
        ]
        for case (let name, .some(let latency), let what) in kinds {
            let median = SpokenDuration.text(latency.medianMs.duration)
            let worst = SpokenDuration.text(latency.worstMs.duration)
            lines.append((name, "\(median) \(what), \(worst) at worst of \(latency.count)"))
        }
        if let settling = camera.latency.settling {
            let median = SpokenDuration.text(settling.medianMs.duration)
            let worst = SpokenDuration.text(settling.worstMs.duration)
            let frames = settling.medianFrames == 1 ? "1 frame" : "\(settling.medianFrames) frames"
            lines.append(
                ("to settle", "\(median) (\(frames)), \(worst) (\(settling.worstFrames)) at worst of \(settling.count)")
            )
        }
        return lines
    }
}
