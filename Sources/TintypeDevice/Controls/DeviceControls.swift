// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// Sets the controls of an open device in order of dependency and reads them back; blocks, device thread only.
///
/// An error of one control is its outcome and does not affect the others; only the removal of the device is thrown.
package struct DeviceControls {
    let driver: any ControlDriver

    package init(of device: any CaptureDevice) { driver = device.controls }

    init(_ driver: any ControlDriver) { self.driver = driver }

    /// All controls in the driver's order, with values if readable.
    package func all() throws(DeviceError) -> [ControlDescription] { try valued { _ in true } }

    /// All controls, with values except for volatile ones.
    package func lasting() throws(DeviceError) -> [ControlDescription] { try valued { !$0.has(.volatile) } }

    private func valued(where isRead: (ControlDescription) -> Bool) throws(DeviceError) -> [ControlDescription] {
        var controls = try named()
        for index in controls.indices where isRead(controls[index]) {
            controls[index].value = try value(of: controls[index])
        }
        return controls
    }

    /// Subscribes to the privacy shutter (`V4L2_CID_PRIVACY`); true if it is closed, nil if there is none.
    ///
    /// Throws if its value cannot be read.
    package func watchShutter() throws(DeviceError) -> Bool? {
        let (id, group) = (ControlNumber.privacy, "camera_controls")
        let known = ControlDescription(id: id, title: "Privacy", controlClass: group, type: .boolean, maximum: 1)
        do throws(ControlFailure) {
            let control = try driver.describe(known)
            guard !control.has(.disabled), control.type == .boolean else { return nil }
            driver.watch(control.id)
            return try driver.read(control) == .boolean(true)
        } catch {
            // No such control, or no controls at all.
            if error.code == EINVAL || error.code == ENOTTY { return nil }
            try driver.throwIfGone(error)
            throw .system(operation: error.call.name, path: driver.path, errno: error.code)
        }
    }

    /// Subscribes to changes of `controls` by other programs, if the driver supports it.
    ///
    /// Not to read-only ones, which the camera changes itself, some with every frame; to volatile ones, which may
    /// become persistent, such as a gain once its automatic is off.
    package func watch(_ controls: [ControlDescription]) {
        for control in controls where !control.has(.readOnly) && !control.has(.disabled) {
            guard control.type != .button, control.type != .compound else { continue }
            driver.watch(control.id)
        }
    }

    func named() throws(DeviceError) -> [ControlDescription] { try driver.list().withUniqueNames }

    /// Queries current range and flags of a control, keeping name and value; returns it unchanged if the query fails.
    package func refreshed(_ known: ControlDescription) throws(DeviceError) -> ControlDescription {
        do throws(ControlFailure) {
            var control = try driver.describe(known)
            (control.name, control.value) = (known.name, known.value)
            return control
        } catch {
            try driver.throwIfGone(error)
            return known
        }
    }

    /// Value of a control; nil if it has none or cannot be read.
    package func value(of control: ControlDescription) throws(DeviceError) -> ControlValue? {
        guard control.type != .button, control.type != .compound else { return nil }
        guard !control.has(.writeOnly), !control.has(.disabled) else { return nil }
        do throws(ControlFailure) {
            return try driver.read(control)
        } catch {
            try driver.throwIfGone(error)
            return nil
        }
    }
}

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

/// Single driver calls on the controls of an open device, without order or verification (``DeviceControls``).
///
/// Device thread only.
package protocol ControlDriver {
    var path: String { get }
    /// Lists all controls in the driver's order, without values.
    func list() throws(DeviceError) -> [ControlDescription]
    /// Queries the current description of `known`, without its value.
    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription
    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue
    /// Sets several controls of one class in one call, or a single one of any type; returns the accepted values.
    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue]
    /// Subscribes to ``DeviceEvent/controlChanged(id:value:isRedefined:)`` by others, if the driver supports it.
    func watch(_ id: UInt32)
}

extension ControlDriver {
    func throwIfGone(_ failure: ControlFailure) throws(DeviceError) {
        let error = DeviceError(operation: failure.call.name, path: path, errno: failure.code)
        if case .disconnected = error { throw error }
    }
}

package struct ControlFailure: Error, Hashable, Sendable {
    package var call: DriverCalls.Call
    package var code: CInt

    package init(_ call: DriverCalls.Call, code: CInt) {
        self.call = call
        self.code = code
    }
}

package struct ControlSetting: Hashable, Sendable {
    package var control: ControlDescription
    /// As resolved by ``ControlDescription/resolve(_:)``.
    package var value: ControlValue
}
