// SPDX-License-Identifier: Apache-2.0
import CV4L2
import DeviceReplay
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

struct DeviceRecorderTests {
    @Test(arguments: RecordedControlTests.names)
    func `a record of a recorded device says the same`(_ name: String) throws {
        let recorded = try RecordedDevices.record(name)
        let first = try V4L2Device(replaying: recorded).record()
        let second = try V4L2Device(replaying: first).record()
        #expect(second == first)
        // What is not in a record by hand is filled in, and nothing else is changed.
        #expect(first.formats.map(\.pixelFormat) == recorded.formats.map(\.pixelFormat))
        #expect(first.formats.map { $0.sizes.map(\.size) } == recorded.formats.map { $0.sizes.map(\.size) })
        #expect(first.formats.map(\.sizeRange) == recorded.formats.map(\.sizeRange))
        for (one, other) in zip(first.formats, recorded.formats) {
            for (size, written) in zip(one.sizes, other.sizes) where written.intervals != nil {
                #expect(size.intervals == written.intervals)
            }
        }
        #expect(first.controls.map(\.name) == recorded.controls.map(\.name))
        #expect(first.controls.map(\.menu) == recorded.controls.map(\.menu))
        #expect(first.format?.size == recorded.format?.size && first.rate == recorded.rate)
        #expect(first.rectangles == recorded.rectangles && first.inputs == recorded.inputs.map(completed))
        #expect((first.driver, first.card, first.usb) == (recorded.driver, recorded.card, recorded.usb))
    }

    /// What a driver says of an input besides what a listing has.
    private func completed(_ inputs: [RecordedInput]) -> [RecordedInput] {
        inputs.map { input in
            var input = input
            input.capabilities = input.capabilities ?? HexNumber(0)
            input.standards = input.standards ?? HexNumber(0)
            return input
        }
    }

    @Test func `what a driver refuses is in the record with its errno`() throws {
        let record = try FakeCameraIoctls().device().record()
        #expect(record.refusals?["VIDIOC_G_INPUT"] == Int(ENOTTY))
        #expect(record.refusals?["VIDIOC_QUERY_EXT_CTRL"] == Int(ENOTTY))
        #expect(record.controls.isEmpty && record.inputs == nil)
    }

    @Test func `recording changes nothing, and a device that is gone ends it`() throws {
        let driver = FakeCameraIoctls()
        driver.rectangles = [V4L2_SEL_TGT_CROP: FakeCameraIoctls.whole]
        driver.timings = v4l2_bt_timings()
        let record = try driver.device().record()
        #expect(driver.changes.isEmpty)
        #expect(record.rectangles?.map(\.target.low) == [0, 1, 257])
        driver.goneAfter = 6
        let device = try driver.device()
        #expect(throws: DeviceError.self) { try device.record() }
    }

    @Test func `the serial number is taken out of every text`() {
        var record = DeviceRecord(
            driver: "d",
            card: "Cam 12AB34CD",
            busInfo: "usb-12AB34CD",
            capabilities: HexNumber(1)
        )
        record.serial = "12AB34CD"
        record.product = "Cam (12AB34CD)"
        var control = RecordedControl(id: HexNumber(1), name: "Serial", type: HexNumber(7))
        control.value = .text("12AB34CD")
        record.controls = [control]
        let cleared = record.withoutSerial
        #expect(
            cleared.serial == nil && cleared.card == "Cam (serial number)" && cleared.busInfo == "usb-(serial number)"
        )
        #expect(cleared.product == "Cam ((serial number))" && cleared.controls[0].value == .text("(serial number)"))
        // uvcvideo repeats the product's name, and the card ends where its 32 bytes do.
        record.card = "Cam-12ab34cd: Cam-12AB34"
        #expect(record.withoutSerial.card == "Cam-(serial number): Cam-(serial number)")
        record.card = "Cam 12AB34CD"
        // One that names nothing is not looked for.
        record.serial = "1"
        #expect(record.withoutSerial.card == "Cam 12AB34CD")
    }
}
