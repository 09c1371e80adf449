// SPDX-License-Identifier: Apache-2.0
import Glibc
import TintypeModel

@testable import TintypeDevice

/// A device with these controls; reading some of them may fail.
struct FakeControlDriver: ControlDriver {
    var table: [ControlDescription] = []
    var failure: [UInt32: CInt] = [:]
    let path = "fake"

    func list() throws(DeviceError) -> [ControlDescription] { table }
    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription {
        guard let control = table.first(where: { $0.id == known.id }) else {
            throw ControlFailure(.queryControl, code: EINVAL)
        }
        return control
    }
    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue {
        if let code = failure[control.id] { throw ControlFailure(.readControl, code: code) }
        return control.value ?? .integer(0)
    }
    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue] { [] }
    func watch(_ id: UInt32) {}
}
