// SPDX-License-Identifier: Apache-2.0

/// Exposure-related control values of a device, as far as it reports them.
package struct ExposureState: Hashable, Sendable {
    /// Keyed by control ID.
    package var values: [UInt32: Int64]

    package static let controls = [
        ControlNumber.autoExposure, ControlNumber.exposureAbsolute, ControlNumber.exposure, ControlNumber.autoGain,
        ControlNumber.gain, ControlNumber.autoWhiteBalance, ControlNumber.whiteBalanceTemperature,
    ]

    package init(values: [UInt32: Int64] = [:]) { self.values = values }

    /// True if exposure (`V4L2_EXPOSURE_MANUAL`), gain and white balance are all manual.
    package var isManual: Bool {
        values[ControlNumber.autoExposure] == 1 && values[ControlNumber.autoGain] ?? 0 == 0
            && values[ControlNumber.autoWhiteBalance] ?? 0 == 0
    }
}
