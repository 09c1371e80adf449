// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// How a session is to run: applied whole or not at all.
package struct SessionConfiguration: Hashable, Sendable {
    /// What is wanted of the format.
    package var format: FormatWish
    /// What is wanted of the input.
    package var input: InputWish
    /// How long the device stays open without a request.
    package var warmth: Warmth
    /// What is wanted of the controls, whenever the device is opened.
    package var controls: ControlSettings
    /// Whether its stream may be interrupted for a still of the largest size.
    package var allowsGap: Bool
    /// How long before the driver's stamps the exposure of its frames begins.
    package var lead: StampLead
    /// How much of the past it keeps, for as long as the session lives; nil for nothing.
    package var ring: RingConfiguration?
    /// When what it sees is motion, for as long as the session lives; nil where that is not watched.
    package var motion: MotionSettings?

    /// A configuration of these parts.
    package init(
        format: FormatWish = FormatWish(),
        input: InputWish = InputWish(),
        warmth: Warmth = .linger(Warmth.defaultLinger),
        controls: ControlSettings = ControlSettings(),
        ring: RingConfiguration? = nil,
        motion: MotionSettings? = nil,
        allowsGap: Bool = true,
        lead: StampLead = .auto
    ) {
        self.format = format
        self.input = input
        self.warmth = warmth
        self.controls = controls
        self.ring = ring
        self.motion = motion
        self.allowsGap = allowsGap
        self.lead = lead
    }

    /// The part of it that the API speaks.
    package var settings: CameraSettings {
        get { CameraSettings(format: format, input: input, warmth: warmth) }
        set { (format, input, warmth) = (newValue.format, newValue.input, newValue.warmth) }
    }

    /// Whether a device that is set to `other` can go on as it is.
    func needsNoNegotiation(after other: SessionConfiguration) -> Bool {
        format == other.format && input == other.input
    }
}
