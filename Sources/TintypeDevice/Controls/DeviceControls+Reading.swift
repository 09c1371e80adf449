// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension DeviceControls {
    /// Those of its controls that a ``CameraReading`` is made of and that can be read: exposure time, ISO sensitivity, gain,
    /// focus.
    ///
    /// A camera that has none of them has an empty list. Throws only that the device is gone.
    package func readingControls() throws(DeviceError) -> [ControlDescription] {
        try readable([
            ControlNumber.exposureAbsolute, ControlNumber.isoSensitivity, ControlNumber.gain,
            ControlNumber.focusAbsolute,
        ])
    }

    /// Those of the controls with these numbers that the device has and that can be read, in this order.
    ///
    /// The ioctl is `VIDIOC_QUERY_EXT_CTRL`, once for each. Throws only that the device is gone.
    func readable(_ numbers: [UInt32]) throws(DeviceError) -> [ControlDescription] {
        var controls: [ControlDescription] = []
        for number in numbers {
            let asked = ControlDescription(id: number, title: "", controlClass: "", type: .integer)
            do throws(ControlFailure) {
                let control = try driver.describe(asked)
                if !control.has(.disabled), !control.has(.writeOnly) { controls.append(control) }
            } catch {
                // Most it does not have (EINVAL), or none at all (ENOTTY); whichever the error, it can do without.
                try throwIfGone(error)
            }
        }
        return controls
    }

    /// What the device says of its exposure and focus `now` by `controls`, which ``readingControls()`` has found.
    ///
    /// Throws only that the device is gone.
    package func reading(by controls: [ControlDescription], now: MonotonicTime) throws(DeviceError) -> CameraReading {
        var reading = CameraReading(readAt: now)
        for control in controls {
            guard case .integer(let number) = try value(of: control) else { continue }
            switch control.id {
            // Its unit is 100 µs.
            case ControlNumber.exposureAbsolute: reading.time = number > 0 ? .microseconds(number * 100) : nil
            // A menu of numbers, which are thousandths.
            case ControlNumber.isoSensitivity:
                let item = control.menu.first { $0.index == number }.flatMap { Int($0.name) }
                reading.isoSensitivity = item.map { $0 / 1000 }
            case ControlNumber.gain: reading.gain = number
            case ControlNumber.focusAbsolute: reading.focus = number
            default: continue
            }
        }
        return reading
    }
}
