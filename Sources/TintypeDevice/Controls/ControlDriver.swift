// SPDX-License-Identifier: Apache-2.0
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
