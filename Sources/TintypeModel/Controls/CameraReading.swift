// SPDX-License-Identifier: Apache-2.0

/// What a camera said of its exposure and focus at a moment.
package struct CameraReading: Hashable, Sendable {
    /// For how long it exposes a frame (`V4L2_CID_EXPOSURE_ABSOLUTE`); nil if it cannot tell.
    package var time: Duration?
    /// Its sensitivity as an ISO number (`V4L2_CID_ISO_SENSITIVITY`); nil if it cannot tell.
    package var isoSensitivity: Int?
    /// Its gain (`V4L2_CID_GAIN`), in whatever unit its driver has; nil if it cannot tell.
    package var gain: Int64?
    /// The position of its focus (`V4L2_CID_FOCUS_ABSOLUTE`), in whatever unit its driver has; nil if it cannot tell.
    package var focus: Int64?
    /// When it was asked.
    package var readAt: MonotonicTime

    /// A reading of these parts.
    package init(
        time: Duration? = nil,
        isoSensitivity: Int? = nil,
        gain: Int64? = nil,
        focus: Int64? = nil,
        readAt: MonotonicTime
    ) {
        self.time = time
        self.isoSensitivity = isoSensitivity
        self.gain = gain
        self.focus = focus
        self.readAt = readAt
    }
}
