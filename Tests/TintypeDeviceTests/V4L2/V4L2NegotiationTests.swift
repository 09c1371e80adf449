// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

struct V4L2NegotiationTests {
    private let wish = CaptureFormat(
        pixelFormat: .yuyv,
        size: FrameSize(width: 640, height: 480),
        interval: FrameInterval(rate: "30")
    )

    @Test(arguments: [V4L2_FIELD_SEQ_TB.rawValue, V4L2_FIELD_SEQ_BT.rawValue, V4L2_FIELD_ALTERNATE.rawValue])
    func `separate fields are asked for woven, and refused where they stay separate`(_ field: UInt32) throws {
        let driver = FakeCameraIoctls()
        driver.fields.any = v4l2_field(rawValue: field)
        _ = try driver.device().configure(wish, crop: nil)
        #expect(driver.format.field == V4L2_FIELD_INTERLACED.rawValue)
        driver.fields.interlaced = v4l2_field(rawValue: field)
        let reason = "the device delivers the fields of interlaced pictures separately."
        #expect(throws: DeviceError.unsupported(path: "/dev/fake", reason: reason)) {
            try driver.device().configure(wish, crop: nil)
        }
    }

    @Test(arguments: [V4L2_FIELD_TOP.rawValue, V4L2_FIELD_NONE.rawValue, V4L2_FIELD_INTERLACED_BT.rawValue])
    func `other fields are left as the driver has them`(_ field: UInt32) throws {
        let driver = FakeCameraIoctls()
        driver.fields.any = v4l2_field(rawValue: field)
        _ = try driver.device().configure(wish, crop: nil)
        #expect(driver.format.field == field)
        #expect(driver.changes == ["format", "rate"])
    }

    @Test func `a rate that cannot be set is not asked for, and the wish is not taken for the rate`() throws {
        let driver = FakeCameraIoctls()
        driver.rate.capability = 0
        #expect(try driver.device().configure(wish, crop: nil).format.interval == FrameInterval(rate: "25"))
        #expect(driver.changes == ["format"])
        driver.rate.interval = v4l2_fract(numerator: 0, denominator: 0)
        #expect(try driver.device().configure(wish, crop: nil).format.interval == nil)
    }

    /// Rates that no camera has: they would make stamps and stall limits of nothing.
    @Test(arguments: [(0, 30), (1, 0), (1, 10_000_000), (7200, 1)] as [(UInt32, UInt32)])
    func `a rate that means nothing is none`(_ numerator: UInt32, _ denominator: UInt32) throws {
        let driver = FakeCameraIoctls()
        driver.rate.interval = v4l2_fract(numerator: numerator, denominator: denominator)
        let device = try driver.device()
        #expect(try device.configure(wish, crop: nil).format.interval == nil)
        #expect(try device.currentFormat().interval == nil)
    }

    @Test func `the matrix of a picture is the one that its colorspace stands for`() {
        let expected: [(v4l2_colorspace, ColorEncoding.Matrix)] = [
            (V4L2_COLORSPACE_SRGB, .bt601), (V4L2_COLORSPACE_SMPTE170M, .bt601), (V4L2_COLORSPACE_REC709, .bt709),
            (V4L2_COLORSPACE_SMPTE240M, .smpte240m), (V4L2_COLORSPACE_BT2020, .bt2020),
        ]
        for (colorspace, matrix) in expected {
            let encoding = ColorEncoding(colorspace: colorspace.rawValue, encoding: 0, quantization: 0)
            #expect(encoding == ColorEncoding(matrix: matrix, range: .limited), "\(colorspace)")
        }
        let jpeg = ColorEncoding(colorspace: V4L2_COLORSPACE_JPEG.rawValue, encoding: 0, quantization: 0)
        #expect(jpeg == .jfif)
    }

    @Test func `another program's picture is not touched while it uses the camera`() throws {
        let driver = FakeCameraIoctls()
        let part = v4l2_rect(left: 8, top: 8, width: 64, height: 48)
        driver.rectangles = [V4L2_SEL_TGT_CROP: part, V4L2_SEL_TGT_COMPOSE: part]
        driver.refusal = EBUSY
        #expect(throws: DeviceError.busy(path: "/dev/fake", operation: "VIDIOC_S_FMT")) {
            try driver.device().configure(wish, crop: nil)
        }
        #expect(driver.changes.isEmpty)
        driver.refusal = 0
        _ = try driver.device().configure(wish, crop: nil)
        #expect(driver.changes == ["format", "crop", "format", "compose", "rate"])
        // What is at its default already is not set again.
        _ = try driver.device().configure(wish, crop: nil)
        #expect(driver.changes.suffix(2) == ["format", "rate"])
        #expect(driver.changes.count == 7)
    }

    @Test func `a size that changes with the rate is the granted one, and no other program's doing`() throws {
        let driver = FakeCameraIoctls()
        driver.widthAfterRate = 320
        let device = try driver.device()
        let granted = try device.configure(wish, crop: nil)
        #expect(granted.format.size == FrameSize(width: 320, height: 480))
        #expect(granted.layout.size == granted.format.size)
        try device.checkFormat()
        driver.format.width = 160
        #expect(throws: DeviceError.busy(path: "/dev/fake", operation: "VIDIOC_S_FMT")) { try device.checkFormat() }
    }

    // MARK: - Signals

    private func timings(_ width: UInt32, _ height: UInt32) -> v4l2_bt_timings {
        var timings = v4l2_bt_timings()
        (timings.width, timings.height) = (width, height)
        return timings
    }

    @Test func `the status of a digital input is the one with the timings set`() throws {
        let driver = FakeCameraIoctls()
        driver.timings = timings(1920, 1080)
        driver.status.before = UInt32(V4L2_IN_ST_NO_SYNC)
        #expect(try driver.device().selectInput(InputWish())?.timings == "1920x1080p")
        driver.status.after = UInt32(V4L2_IN_ST_NO_SIGNAL)
        let error = #expect(throws: DeviceError.self) { try driver.device().selectInput(InputWish()) }
        #expect(error?.problem.cause == .noSignal)
    }

    @Test func `measured timings of any size are told, or are none`() throws {
        let driver = FakeCameraIoctls()
        var odd = timings(1920, 1080)
        (odd.hfrontporch, odd.hsync, odd.hbackporch) = (.max, .max, .max)
        (odd.vfrontporch, odd.vsync, odd.vbackporch, odd.pixelclock) = (.max, .max, .max, .max)
        (odd.interlaced, odd.il_vfrontporch, odd.il_vsync, odd.il_vbackporch) = (1, .max, .max, .max)
        driver.timings = odd
        #expect(try driver.device().selectInput(InputWish())?.timings == "1920x1080i")
        var usual = timings(1920, 1080)
        (usual.hfrontporch, usual.hsync, usual.hbackporch) = (88, 44, 148)
        (usual.vfrontporch, usual.vsync, usual.vbackporch, usual.pixelclock) = (4, 5, 36, 148_350_000)
        driver.timings = usual
        #expect(try driver.device().selectInput(InputWish())?.timings == "1920x1080p60")
        let changes = driver.changes.count
        for (width, height) in [(0, 1080), (1920, 0), (UInt32.max, UInt32.max)] as [(UInt32, UInt32)] {
            driver.timings = timings(width, height)
            let error = #expect(throws: DeviceError.self) { try driver.device().selectInput(InputWish()) }
            #expect(error?.problem.cause == .noLock)
        }
        #expect(driver.changes.count == changes)
    }

    @Test func `an event of a control tells its new value, and whether its range or flags have changed`() {
        var event = v4l2_event()
        event.type = UInt32(V4L2_EVENT_CTRL)
        event.id = 7
        unsafe event.u.ctrl.value = 9
        unsafe event.u.ctrl.changes = UInt32(V4L2_EVENT_CTRL_CH_FLAGS)
        #expect(DeviceEvent(event) == .controlChanged(id: 7, value: nil, isRedefined: true))
        unsafe event.u.ctrl.changes |= UInt32(V4L2_EVENT_CTRL_CH_VALUE)
        #expect(DeviceEvent(event) == .controlChanged(id: 7, value: 9, isRedefined: true))
        unsafe event.u.ctrl.changes = UInt32(V4L2_EVENT_CTRL_CH_VALUE)
        #expect(DeviceEvent(event) == .controlChanged(id: 7, value: 9, isRedefined: false))
        unsafe event.u.ctrl.changes = UInt32(V4L2_EVENT_CTRL_CH_RANGE)
        #expect(DeviceEvent(event) == .controlChanged(id: 7, value: nil, isRedefined: true))
        unsafe event.u.ctrl.changes = 0
        #expect(DeviceEvent(event) == nil)
    }
}
