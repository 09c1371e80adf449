// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// The controls of an open device, as its driver has them: one call at a time, nothing ordered or verified.
///
/// ``DeviceControls`` does that. Every call may block in the driver; only on the device's thread.
package protocol ControlDriver {
    /// What stands for the device in messages.
    var path: String { get }
    /// Every control in the driver's order, without values.
    func list() throws(DeviceError) -> [ControlDescription]
    /// A control as it is now, without its value; `known` is what was said of it before.
    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription
    /// The value of a control.
    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue
    /// Sets several controls of one class in one call, or one of any type.
    ///
    /// - Returns: what the driver made of each value.
    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue]
    /// Tells changes of the control that others make as ``DeviceEvent/controlChanged(id:value:isRedefined:)`` from now on.
    ///
    /// - Returns: false where the driver cannot.
    func watch(_ id: UInt32) -> Bool
}

/// A driver's refusal of a call about a control.
package struct ControlFailure: Error, Hashable, Sendable {
    /// The call.
    package var call: DriverCalls.Call
    /// What errno(3) said.
    package var code: CInt

    /// The refusal of `call` with `code`.
    package init(_ call: DriverCalls.Call, code: CInt) {
        self.call = call
        self.code = code
    }
}

/// A value to be set.
package struct ControlSetting: Hashable, Sendable {
    /// The control.
    package var control: ControlDescription
    /// The value, as ``ControlDescription/resolve(_:)`` gives it.
    package var value: ControlValue
}

extension CaptureDevice {
    /// A device has no controls unless it says otherwise.
    package var controls: any ControlDriver { NoControls(path: identity.path) }
}

/// The controls of a device without any.
struct NoControls: ControlDriver {
    let path: String
    func list() throws(DeviceError) -> [ControlDescription] { [] }
    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription { known }
    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue {
        throw ControlFailure(.readControl, code: EINVAL)
    }
    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue] {
        throw ControlFailure(.writeControl, code: EINVAL)
    }
    func watch(_ id: UInt32) -> Bool { false }
}
