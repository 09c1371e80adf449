// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A calibration in readable lines.
enum CalibrationReport {
    /// What was measured, and what it means; `before` is the camera as it was.
    static func text(_ calibration: Calibration, before: CameraStatus) -> PrintedText {
        var lines = LabelledLines()
        lines.add("lead", "\(calibration.leadMs.spoken) from the start of exposure to the driver's time stamp")
        lines.add("used so far", before.leadMs.map { "\($0.spoken)\(origin(of: before))" })
        lines.add("spread", "9 of 10 flashes agree within \(calibration.spreadMs.spoken)")
        lines.add("flashes", "\(calibration.seen) of \(calibration.flashes) seen")
        let exposure = calibration.exposureMs
        lines.add("exposure", exposure.duration > .zero ? "\(exposure.spoken) for each row" : "too short to be seen")
        lines.add("readout", "\(calibration.readoutMs.spoken) from the first row to the last")
        lines.add("holds for", "\(calibration.format) of \(calibration.card)")
        let delay: PrintedText = """
            The lead contains the delay of the terminal and of the screen, usually one refresh (17 ms at 60 Hz): the
            camera's own lead is shorter by that. With it, no picture is older than its record says.

            """
        let use: PrintedText =
            calibration.saved
            ? "Saved: the camera uses this lead from now on.\n" : "Not saved: --save lets the camera use this lead.\n"
        return "\(calibration.camera): calibrated\n\(lines.text())\(delay)\(use)"
    }

    /// Where the lead of a camera comes from, as in `, assumed`.
    static func origin(of camera: CameraStatus) -> String { camera.leadOrigin.map { ", \($0.rawValue)" } ?? "" }
}
