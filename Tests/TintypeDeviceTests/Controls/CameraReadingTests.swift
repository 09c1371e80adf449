// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

struct CameraReadingTests {
    private static func control(_ id: UInt32, _ value: Int64, flags: [ControlFlag] = []) -> ControlDescription {
        var control = ControlDescription(id: id, title: "A", controlClass: "camera_controls", type: .integer)
        (control.maximum, control.flags, control.value) = (65535, flags, .integer(value))
        return control
    }

    /// Returns the ISO sensitivity control with the menu item of this index selected.
    private static func sensitivity(_ index: Int64, of menu: [ControlMenuItem]) -> ControlDescription {
        var control = control(ControlNumber.isoSensitivity, index)
        (control.type, control.menu) = (.integerMenu, menu)
        return control
    }

    private func reading(_ driver: FakeControlDriver) throws(DeviceError) -> CameraReading {
        CameraReading(try ControlReader(CameraReading.controls, DeviceControls(driver)).read(), readAt: .now())
    }

    @Test func `reads exposure, ISO, gain and focus in their V4L2 units`() throws {
        let menu = [ControlMenuItem(index: 0, name: "100000"), ControlMenuItem(index: 2, name: "800000")]
        let table = [
            Self.control(ControlNumber.exposureAbsolute, 333), Self.sensitivity(2, of: menu),
            Self.control(ControlNumber.gain, 17, flags: [.inactive, .volatile]),
            Self.control(ControlNumber.focusAbsolute, 35, flags: [.inactive, .volatile]),
        ]
        let found = try reading(FakeControlDriver(table: table))
        #expect(found.time == .microseconds(33_300) && found.isoSensitivity == 800)
        #expect(found.gain == 17 && found.focus == 35)
    }

    @Test func `absent, unreadable and implausible values are nil`() throws {
        var found = try reading(FakeControlDriver(table: []))
        #expect(found.time == nil && found.isoSensitivity == nil && found.gain == nil && found.focus == nil)
        let table = [
            Self.control(ControlNumber.exposureAbsolute, 0), Self.sensitivity(9, of: []),
            Self.control(ControlNumber.gain, 17),
        ]
        found = try reading(FakeControlDriver(table: table, failure: [ControlNumber.gain: EIO]))
        #expect(found.time == nil && found.isoSensitivity == nil && found.gain == nil && found.focus == nil)
        found = try reading(FakeControlDriver(table: [Self.control(ControlNumber.gain, 17, flags: [.writeOnly])]))
        #expect(found.gain == nil)
    }

    @Test func `throws when the device is gone`() {
        let driver = FakeControlDriver(
            table: [Self.control(ControlNumber.gain, 17)],
            failure: [ControlNumber.gain: ENODEV]
        )
        #expect(throws: DeviceError.disconnected(path: "fake", operation: "VIDIOC_G_EXT_CTRLS")) { try reading(driver) }
    }
}
