// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

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
