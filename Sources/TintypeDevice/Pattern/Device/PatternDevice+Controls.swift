// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension PatternDevice {
    /// The controls of a webcam; brightness and privacy show in the picture.
    package var controls: any ControlDriver { patternControls }

    /// Draws with what the controls say now, and as far as exposure and white balance have come since the start.
    func followControls() {
        var look = patternControls.look
        if stream.handedOut < faults.ramp {
            look.exposure = Self.firstExposure + (100 - Self.firstExposure) * stream.handedOut / faults.ramp
        }
        if stream.handedOut < faults.chromaRamp {
            look.cast = Self.firstCast * (faults.chromaRamp - stream.handedOut) / faults.chromaRamp
        }
        guard stream.painter?.look != look else { return }
        stream.painter = PatternPainter(layout: canvas, look: look)
    }

    /// The share of its light, in percent, that a picture has when a ramp begins.
    private static let firstExposure = 10
    /// The cast that a picture has when a chroma ramp begins.
    private static let firstCast = 60

    /// What others do to the controls, as the specification wants it.
    func changeControlsByOthers() {
        let faults = spec.controlFaults
        if let after = faults.foreignChangeAfter, stream.handedOut >= after, !misbehaviour.hasChangedBrightness,
            patternControls.isWatched(ControlNumber.brightness)
        {
            misbehaviour.hasChangedBrightness = true
            change(ControlNumber.brightness, to: .integer(PatternSpec.ControlFaults.foreignBrightness))
        }
        if let after = faults.shutterAfter, stream.handedOut == after {
            change(ControlNumber.privacy, to: .boolean(patternControls.look.isDark == false))
        }
    }

    private func change(_ id: UInt32, to value: ControlValue) {
        if let event = patternControls.change(id, to: value) { pendingEvents.append(event) }
    }
}
