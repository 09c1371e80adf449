// SPDX-License-Identifier: Apache-2.0

/// What a camera said of its exposure and focus at a moment.
package struct CameraReading: Hashable, Sendable {
    /// For how long it exposes a frame (`V4L2_CID_EXPOSURE_ABSOLUTE`); nil if it cannot tell.
    package var time: Duration?
    /// Its sensitivity as an ISO number (`V4L2_CID_ISO_SENSITIVITY`); nil if it cannot tell.
    package var isoSensitivity: Int?
    /// Its gain (`V4L2_CID_GAIN`), in its driver's unit; nil if it cannot tell.
    package var gain: Int64?
    /// The position of its focus (`V4L2_CID_FOCUS_ABSOLUTE`), in its driver's unit; nil if it cannot tell.
    package var focus: Int64?
    /// When it was asked.
    package var readAt: MonotonicTime
}

extension CameraReading {
    /// A reading of a camera that has told nothing so far.
    package init(readAt: MonotonicTime) { self.readAt = readAt }

    /// The numbers of the controls that it is made of.
    package static let controls = [
        ControlNumber.exposureAbsolute, ControlNumber.isoSensitivity, ControlNumber.gain, ControlNumber.focusAbsolute,
    ]

    /// The exposure time among the values of controls, which have it in units of 100 µs; nil if none tells it.
    package static func exposureTime(in values: [UInt32: Int64]) -> Duration? {
        values[ControlNumber.exposureAbsolute].flatMap { $0 > 0 ? .microseconds($0 * 100) : nil }
    }

    /// What these values of ``controls`` say.
    package init(_ values: [UInt32: Int64], readAt: MonotonicTime) {
        self.init(
            time: Self.exposureTime(in: values),
            // In thousandths.
            isoSensitivity: values[ControlNumber.isoSensitivity].map { Int($0) / 1000 },
            gain: values[ControlNumber.gain],
            focus: values[ControlNumber.focusAbsolute],
            readAt: readAt
        )
    }
}
