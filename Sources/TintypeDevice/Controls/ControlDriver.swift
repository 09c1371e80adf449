// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Driver-level access to the controls of an open device: single calls, without ordering or verification.
///
/// ``DeviceControls`` adds those. Every call may block in the driver; device thread only.
package protocol ControlDriver {
    /// Path of the device, for messages.
    var path: String { get }
    /// Lists all controls in the driver's order, without values.
    func list() throws(DeviceError) -> [ControlDescription]
    /// Queries the current description of a control, without its value.
    ///
    /// `known` is an earlier description.
    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription
    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue
    /// Sets several controls of one class in one call, or a single one of any type.
    ///
    /// - Returns: the values as the driver adjusted them.
    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue]
    /// Subscribes to changes of a control by others, if the driver supports it.
    ///
    /// They are reported as ``DeviceEvent/controlChanged(id:value:isRedefined:)``.
    func watch(_ id: UInt32)
}

package struct ControlFailure: Error, Hashable, Sendable {
    package var call: DriverCalls.Call
    /// errno(3).
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
