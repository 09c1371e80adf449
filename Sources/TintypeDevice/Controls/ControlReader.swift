// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Some controls of an open device that are read again and again, such as those of its exposure.
///
/// Blocks in the driver; only on the device's thread.
package struct ControlReader {
    private var controls: DeviceControls?
    private var known: [ControlDescription] = []

    /// One that reads nothing: of a device that takes too long to answer.
    package init() {}

    /// Asks which of the controls with these numbers the device has and lets read (`VIDIOC_QUERY_EXT_CTRL`, once for each).
    ///
    /// Throws only that the device is gone.
    package init(_ numbers: [UInt32], of device: any CaptureDevice) throws(DeviceError) {
        try self.init(numbers, DeviceControls(of: device))
    }

    init(_ numbers: [UInt32], _ controls: DeviceControls) throws(DeviceError) {
        self.controls = controls
        for number in numbers {
            let asked = ControlDescription(id: number, title: "", controlClass: "", type: .integer)
            do throws(ControlFailure) {
                let control = try controls.driver.describe(asked)
                if !control.has(.disabled), !control.has(.writeOnly) { known.append(control) }
            } catch {
                // Most it does not have (EINVAL), or none at all (ENOTTY); whichever the error, it can do without.
                try controls.throwIfGone(error)
            }
        }
    }

    /// Whether there is nothing to read.
    package var isEmpty: Bool { known.isEmpty }

    /// The values by the numbers of the controls (`VIDIOC_G_EXT_CTRLS`, once for each): of a switch 0 or 1, of a menu of
    /// numbers the one that is chosen.
    ///
    /// Throws only that the device is gone; what cannot be read is left out.
    package func read() throws(DeviceError) -> [UInt32: Int64] {
        var values: [UInt32: Int64] = [:]
        for control in known {
            switch try controls?.value(of: control) {
            case .integer(let index) where control.type == .integerMenu:
                values[control.id] = control.menu.first { $0.index == index }.flatMap { Int64($0.name) }
            case .text, nil: break
            case let value?: values[control.id] = value.number
            }
        }
        return values
    }
}
