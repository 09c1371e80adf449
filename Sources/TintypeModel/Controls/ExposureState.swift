// SPDX-License-Identifier: Apache-2.0

/// How a device exposed at a moment, as far as it tells.
package struct ExposureState: Hashable, Sendable {
    /// Values by the number of the control.
    package var values: [UInt32: Int64]

    /// The numbers of the controls that it is made of.
    package static let controls = [
        ControlNumber.autoExposure, ControlNumber.exposureAbsolute, ControlNumber.exposure, ControlNumber.autoGain,
        ControlNumber.gain, ControlNumber.autoWhiteBalance, ControlNumber.whiteBalanceTemperature,
    ]

    /// A state of these values; none by default.
    package init(values: [UInt32: Int64] = [:]) { self.values = values }

    /// Whether the device says that it leaves exposure, gain and white balance alone (`V4L2_EXPOSURE_MANUAL`).
    package var isManual: Bool {
        values[ControlNumber.autoExposure] == 1 && values[ControlNumber.autoGain] ?? 0 == 0
            && values[ControlNumber.autoWhiteBalance] ?? 0 == 0
    }
}
