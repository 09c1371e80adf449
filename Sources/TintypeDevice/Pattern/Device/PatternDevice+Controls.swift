// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension PatternDevice {
    /// Brightness and privacy affect the picture.
    package var controls: any ControlDriver { patternControls }

    /// Updates the painter for the current controls and the progress of exposure and white balance since the start.
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

    /// Brightness at the start of a ramp, in percent.
    private static let firstExposure = 10
    /// Colour cast at the start of a chroma ramp.
    private static let firstCast = 60

    /// Simulates changes by other programs, according to the specification.
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
