// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

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
