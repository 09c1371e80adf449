// SPDX-License-Identifier: Apache-2.0
package import TintypeImaging
package import TintypeModel

/// Configuration of a session, applied as a whole or not at all.
package struct SessionConfiguration: Hashable, Sendable {
    package var format: FormatWish
    package var input: InputWish
    package var warmth: Warmth
    package var controls: ControlSettings
    /// Permits an interruption of the stream for a full-size still.
    package var allowsGap: Bool
    /// Time between the start of exposure and the driver's timestamp.
    package var lead: StampLead
    /// Limit of the silence between frames; `off` also allows a `latest` frame of any age.
    package var stall = SilenceLimit.auto
    /// Limit of the silence before the first frame of a stream; `auto` is at least ``stall``.
    package var firstFrame = SilenceLimit.auto
    /// Ring of past frames, if any; fixed for the life of the session.
    package var ring: RingConfiguration?
    /// Motion detection, if any; fixed for the life of the session.
    package var motion: MotionSettings?
    /// Orientation, crop and mask of all pictures, if any; fixed for the life of the session.
    package var look: CameraLook?
    /// Alarms, each with the time that its condition must last; fixed for the life of the session.
    package var alarms: [CameraAlarm: Duration]

    package init(
        format: FormatWish = FormatWish(),
        input: InputWish = InputWish(),
        warmth: Warmth = .standard,
        controls: ControlSettings = ControlSettings(),
        ring: RingConfiguration? = nil,
        motion: MotionSettings? = nil,
        look: CameraLook? = nil,
        alarms: [CameraAlarm: Duration] = [:],
        allowsGap: Bool = true,
        lead: StampLead = .auto
    ) {
        (self.format, self.input, self.warmth, self.controls) = (format, input, warmth, controls)
        (self.ring, self.motion, self.look, self.alarms) = (ring, motion, look, alarms)
        (self.allowsGap, self.lead) = (allowsGap, lead)
    }

    /// The part of the configuration that the API exposes.
    package var settings: CameraSettings {
        get { CameraSettings(format: format, input: input, warmth: warmth) }
        set { (format, input, warmth) = (newValue.format, newValue.input, newValue.warmth) }
    }
}
