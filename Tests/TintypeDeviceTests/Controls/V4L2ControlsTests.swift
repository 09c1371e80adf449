// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

struct V4L2ControlsTests {
    typealias Item = FakeControlIoctls.Item

    private static let user = UInt32(V4L2_CID_BASE)
    private static let ordinary = [
        Item(id: user + 1, type: V4L2_CTRL_TYPE_INTEGER, name: "Contrast", value: 7),
        Item(id: user + 9, type: V4L2_CTRL_TYPE_BOOLEAN, name: "Mute", maximum: 1, value: 1),
        Item(id: user + 24, type: V4L2_CTRL_TYPE_MENU, name: "Power Line", maximum: 3, value: 3),
    ]
    private static let camera = UInt32(bitPattern: V4L2_CID_CAMERA_CLASS_BASE)
    private static let cameraClass = UInt32(bitPattern: V4L2_CID_CAMERA_CLASS)
    private static let heading = Item(id: cameraClass, type: V4L2_CTRL_TYPE_CTRL_CLASS, name: "Odd Cameras")

    @Test func `lists, reads and sets controls`() throws {
        let driver = FakeControlIoctls(Self.ordinary)
        let controls = DeviceControls(driver.controls)
        let all = try controls.all()
        #expect(all.map(\.name) == ["contrast", "mute", "power_line"])
        #expect(all.map(\.value) == [.integer(7), .boolean(true), .integer(3)])
        #expect(all[2].menu.map(\.index) == [1, 3])
        #expect(all[2].choice == "Item 3")
        #expect(all[0].controlClass == "user_controls")
        let outcomes = try controls.apply(
            ControlSettings(["contrast": .integer(9), "mute": .boolean(false), "power_line": .text("item 1")])
        )
        #expect(outcomes.map(\.result) == [.applied, .applied, .applied])
        #expect(driver.items.map(\.value) == [9, 0, 1])
        #expect(driver.writes == 1, "one call for one class")
    }

    @Test func `reads and sets every control type except compound`() throws {
        let driver = FakeControlIoctls(
            [
                Self.heading,
                Item(id: Self.camera + 1, type: V4L2_CTRL_TYPE_INTEGER64, name: "Long", value: 1 << 40),
                Item(id: Self.camera + 2, type: V4L2_CTRL_TYPE_STRING, name: "Text", maximum: 8, text: "old"),
                Item(id: Self.camera + 3, type: V4L2_CTRL_TYPE_BITMASK, name: "Bits", maximum: -1, value: -(1 << 31)),
                Item(id: Self.camera + 4, type: V4L2_CTRL_TYPE_BUTTON, name: "Press"),
                Item(id: Self.camera + 5, type: V4L2_CTRL_TYPE_INTEGER, name: "Array", isArray: true),
                Item(id: Self.camera + 6, type: V4L2_CTRL_TYPE_AREA, name: "Area"),
                Item(id: Self.camera + 7, type: V4L2_CTRL_TYPE_VP8_FRAME, name: "Frame"),
            ]
        )
        let controls = DeviceControls(driver.controls)
        let all = try controls.all()
        #expect(all.map(\.type) == [.integer64, .string, .bitmask, .button, .compound, .compound, .compound])
        #expect(all.map(\.value) == [.integer(1 << 40), .text("old"), .integer(0x8000_0000), nil, nil, nil, nil])
        #expect(all.compactMap(\.elements?.type) == ["integer", "area", "0x240"])
        #expect(all[4].elements == ControlElements(type: "integer", bytes: 4, count: 3, dimensions: [3]))
        #expect(all.allSatisfy { $0.controlClass == "odd_cameras" })
        let outcomes = try controls.apply(
            ControlSettings([
                "text": .text("new text"), "bits": .text("0x80000001"), "press": .boolean(true), "area": .integer(1),
                "long": .integer(99),
            ])
        )
        let results = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.name, $0.result) })
        #expect(results == ["area": .refused, "bits": .applied, "long": .applied, "press": .applied, "text": .applied])
        #expect(driver.items[2].text == "new text")
        #expect(driver.items[3].value == Int64(Int32(bitPattern: 0x8000_0001)))
    }

    @Test func `retries a refused batch control by control`() throws {
        var items = Self.ordinary
        items[1].refusal = EBUSY
        let driver = FakeControlIoctls(items)
        let outcomes = try DeviceControls(driver.controls).apply(
            ControlSettings(["contrast": .integer(9), "mute": .boolean(false), "power_line": .integer(1)])
        )
        #expect(outcomes.map(\.result) == [.applied, .refused, .applied])
        #expect(driver.writes == 4)
        #expect(outcomes[1].value == .boolean(true))
    }

    @Test func `clamps defaults outside the range of their control`() throws {
        // The driver of a LifeCam reports 0 as the default.
        var brightness = Item(id: Self.user, type: V4L2_CTRL_TYPE_INTEGER, name: "Brightness", value: 99)
        (brightness.minimum, brightness.maximum) = (30, 255)
        let driver = FakeControlIoctls([brightness])
        #expect(try DeviceControls(driver.controls).restoreDefaults().map(\.value) == [.integer(30)])
        #expect(driver.items[0].value == 30)
    }

    @Test func `ends the enumeration when a driver repeats a control`() throws {
        let driver = FakeControlIoctls(Self.ordinary)
        driver.isEndless = true
        #expect(try driver.controls.list().count == 1)
    }

    @Test func `enumerates a menu at the upper end of the integer range`() throws {
        let menu = Item(id: Self.camera, type: V4L2_CTRL_TYPE_MENU, name: "Far", minimum: .max - 2, maximum: .max)
        let control = try #require(try FakeControlIoctls([menu]).controls.list().first)
        #expect(control.menu.map(\.index) == [.max - 2, .max])
    }

    @Test func `listing controls throws only when the device is gone`() throws {
        #expect(try FakeControlIoctls([]).controls.list().isEmpty)
        let driver = FakeControlIoctls(Self.ordinary)
        driver.failure = ENOTTY
        #expect(try driver.controls.list().isEmpty)
        driver.failure = EIO
        #expect(try driver.controls.list().isEmpty)
        driver.failure = ENODEV
        let gone = DeviceError.disconnected(path: "/dev/fake", operation: "VIDIOC_QUERY_EXT_CTRL")
        #expect(throws: gone) { try driver.controls.list() }
        #expect(throws: gone) { try DeviceControls(driver.controls).watchShutter() }
    }

    @Test(arguments: [EIO, EPIPE, ETIMEDOUT])
    func `skips a control that does not answer`(_ code: CInt) throws {
        var items = Self.ordinary
        items[1].silence = code
        items.append(Self.heading)
        items.append(Item(id: Self.camera + 2, type: V4L2_CTRL_TYPE_INTEGER, name: "Exposure"))
        let driver = FakeControlIoctls(items)
        #expect(try DeviceControls(driver.controls).all().map(\.name) == ["contrast", "power_line", "exposure"])
        items[1].silence = ENODEV
        #expect(throws: DeviceError.disconnected(path: "/dev/fake", operation: "VIDIOC_QUERY_EXT_CTRL")) {
            try FakeControlIoctls(items).controls.list()
        }
    }

    @Test func `an unreadable privacy shutter is an error`() throws {
        let driver = FakeControlIoctls(Self.ordinary)
        #expect(try DeviceControls(driver.controls).watchShutter() == nil)
        let privacy = UInt32(bitPattern: V4L2_CID_PRIVACY)
        driver.items.append(Item(id: privacy, type: V4L2_CTRL_TYPE_BOOLEAN, name: "Privacy", maximum: 1, value: 1))
        #expect(try DeviceControls(driver.controls).watchShutter() == true)
        driver.items[3].silence = EIO
        #expect(throws: DeviceError.system(operation: "VIDIOC_QUERY_EXT_CTRL", path: "/dev/fake", errno: EIO)) {
            try DeviceControls(driver.controls).watchShutter()
        }
    }
}
