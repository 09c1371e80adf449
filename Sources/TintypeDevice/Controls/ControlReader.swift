// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Reads a fixed set of controls repeatedly, such as those of the exposure; blocks, device thread only.
package struct ControlReader {
    private var controls: DeviceControls?
    private var known: [ControlDescription] = []

    /// Creates an empty reader, for devices that answer too slowly.
    package init() {}

    /// Queries which of these ids the device can read (`VIDIOC_QUERY_EXT_CTRL`); throws only if the device is gone.
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
                // Not supported (EINVAL), no controls (ENOTTY), or another error: controls are optional here.
                try controls.driver.throwIfGone(error)
            }
        }
    }

    package var isEmpty: Bool { known.isEmpty }

    /// Values by control id (`VIDIOC_G_EXT_CTRLS`): 0 or 1 for booleans, the selected number for integer menus.
    ///
    /// Unreadable controls are omitted; throws only if the device is gone.
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
