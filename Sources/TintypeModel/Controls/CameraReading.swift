// SPDX-License-Identifier: Apache-2.0

/// Exposure and focus values read from a camera; nil if the camera does not report a value.
package struct CameraReading: Hashable, Sendable {
    /// Exposure time (`V4L2_CID_EXPOSURE_ABSOLUTE`).
    package var time: Duration?
    /// ISO number (`V4L2_CID_ISO_SENSITIVITY`).
    package var isoSensitivity: Int?
    /// Gain in driver units (`V4L2_CID_GAIN`).
    package var gain: Int64?
    /// Focus position in driver units (`V4L2_CID_FOCUS_ABSOLUTE`).
    package var focus: Int64?
    package var readAt: MonotonicTime
}

extension CameraReading {
    package static let controls = [
        ControlNumber.exposureAbsolute, ControlNumber.isoSensitivity, ControlNumber.gain, ControlNumber.focusAbsolute,
    ]

    /// Exposure time from control values, which are in units of 100 µs; nil if missing or not positive.
    package static func exposureTime(in values: [UInt32: Int64]) -> Duration? {
        values[ControlNumber.exposureAbsolute].flatMap { $0 > 0 ? .microseconds($0 * 100) : nil }
    }

    package init(_ values: [UInt32: Int64], readAt: MonotonicTime) {
        self.init(
            time: Self.exposureTime(in: values),
            // V4L2 unit: thousandths of an ISO number.
            isoSensitivity: values[ControlNumber.isoSensitivity].map { Int($0) / 1000 },
            gain: values[ControlNumber.gain],
            focus: values[ControlNumber.focusAbsolute],
            readAt: readAt
        )
    }
}

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
