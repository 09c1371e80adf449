// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The controls by which an open device tells how it exposes: those that it has of exposure, gain and white balance.
///
/// Blocks in the driver; only on the device's thread.
package struct ExposureControls {
    private let controls: DeviceControls
    private let known: [ControlDescription]

    /// What is asked for, in this order.
    private static let numbers = [
        ControlNumber.autoExposure, ControlNumber.exposureAbsolute, ControlNumber.exposure, ControlNumber.autoGain,
        ControlNumber.gain, ControlNumber.autoWhiteBalance, ControlNumber.whiteBalanceTemperature,
    ]

    /// Asks which of them the device has (`VIDIOC_QUERY_EXT_CTRL`, up to seven times).
    ///
    /// Throws only that the device is gone.
    package init(of device: any CaptureDevice) throws(DeviceError) {
        controls = DeviceControls(of: device)
        known = try controls.readable(Self.numbers)
    }

    /// Whether there is nothing to read.
    package var isEmpty: Bool { known.isEmpty }

    /// Reads them all (`VIDIOC_G_EXT_CTRLS`, once for each).
    ///
    /// Throws only that the device is gone; what cannot be read is left out.
    package func read() throws(DeviceError) -> ExposureState {
        var state = ExposureState()
        for control in known {
            switch try controls.value(of: control) {
            case .integer(let number): state.values[control.id] = number
            case .boolean(let isOn): state.values[control.id] = isOn ? 1 : 0
            case .text, nil: break
            }
        }
        return state
    }
}

/// How a device exposed at a moment, as far as it tells.
package struct ExposureState: Hashable, Sendable {
    /// Values by the number of the control.
    package var values: [UInt32: Int64]

    /// A state of these values; none by default.
    package init(values: [UInt32: Int64] = [:]) { self.values = values }

    /// Whether the device says that it leaves exposure, gain and white balance alone (`V4L2_EXPOSURE_MANUAL`).
    package var isManual: Bool {
        values[ControlNumber.autoExposure] == 1 && values[ControlNumber.autoGain] ?? 0 == 0
            && values[ControlNumber.autoWhiteBalance] ?? 0 == 0
    }
}
