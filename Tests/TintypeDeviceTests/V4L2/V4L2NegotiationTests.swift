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

    @Test(arguments: [V4L2_FIELD_SEQ_TB.rawValue, V4L2_FIELD_SEQ_BT.rawValue])
    func `rejects sequential fields that the driver cannot interlace`(_ field: UInt32) throws {
        let driver = FakeCameraIoctls()
        driver.fields.any = v4l2_field(rawValue: field)
        _ = try driver.configure(wish)
        #expect(driver.format.field == V4L2_FIELD_INTERLACED.rawValue)
        driver.fields.interlaced = v4l2_field(rawValue: field)
        expectRefusal("it delivers the fields of interlaced pictures one behind the other in a buffer.") {
            try driver.configure(wish)
        }
    }

    private typealias Side = (least: UInt32, most: UInt32, step: UInt32)

    private func sizes(_ width: Side, _ height: Side) -> v4l2_frmsize_stepwise {
        var sizes = v4l2_frmsize_stepwise()
        (sizes.min_width, sizes.max_width, sizes.step_width) = width
        (sizes.min_height, sizes.max_height, sizes.step_height) = height
        return sizes
    }

    @Test func `rejects an impossible size of the driver`() throws {
        let driver = FakeCameraIoctls()
        driver.widthAfterRate = .max
        expectRefusal("its driver tells the size 4294967295x480, which no picture has.") { try driver.configure(wish) }
    }

    @Test func `clamps an impossible size range of the driver`() throws {
        let driver = FakeCameraIoctls()
        driver.sizes = sizes((16, .max, step: 0), (16, .max, step: .max))
        let sizes = try #require(try driver.device().formats().first?.sizes.first)
        #expect(sizes.maximum == FrameSize(width: 65_535, height: 65_535) && sizes.maximum.area > 0)
        #expect(sizes.step == FrameSize(width: 1, height: 65_535))
    }

    @Test func `uses the frame rates of the chosen size within a range`() throws {
        let driver = FakeCameraIoctls()
        driver.sizes = sizes((32, 1600, step: 2), (32, 1200, step: 2))
        driver.rates = { $0 > 1280 ? [15] : [60, 15] }
        let device = try driver.device()
        let offer = FormatOffer(camera: device.identity, formats: try device.formats(), current: wish)
        let fast = FormatWish(size: .exactly(wish.size), rate: .exactly(FrameInterval(framesPerSecond: 60)))
        #expect(try fast.resolve(offer, asking: device).description == "YUYV:640x480@60")
        let large = FormatWish(preset: .photo, rate: .near(FrameInterval(framesPerSecond: 60)))
        #expect(try large.resolve(offer, asking: device).description == "YUYV:1600x1200@15")
    }

    @Test(arguments: [V4L2_FIELD_TOP, V4L2_FIELD_BOTTOM].map(\.rawValue))
    func `accepts a single field only as a whole picture or interlaced`(_ field: UInt32) throws {
        let driver = FakeCameraIoctls()
        let field = v4l2_field(rawValue: field)
        driver.fields = (field, field)
        #expect(try driver.configure(wish).layout.fields == .whole)
        #expect(driver.format.field == field.rawValue && driver.changes == ["format", "rate"])
        driver.mostRowsOfField = 240
        expectRefusal("of interlaced pictures of 640x480 it delivers one field alone, 640x240.") {
            try driver.configure(wish)
        }
        driver.fields.interlaced = V4L2_FIELD_INTERLACED
        let granted = try driver.configure(wish)
        #expect(granted.layout.fields == .woven && granted.layout.size == wish.size)
    }

    @Test func `alternating fields are requested at half height and granted at full height`() throws {
        let driver = FakeCameraIoctls()
        driver.fields.any = V4L2_FIELD_ALTERNATE
        #expect(try driver.configure(wish).layout.fields == .woven)
        driver.fields.interlaced = V4L2_FIELD_ALTERNATE
        let device = try driver.device()
        let granted = try device.configure(wish, crop: nil)
        #expect(driver.format.field == V4L2_FIELD_ALTERNATE.rawValue && driver.format.height == 240)
        #expect(granted.format.size == wish.size && granted.layout.size == wish.size)
        #expect(granted.layout.fields == .alternating)
        #expect(granted.layout.byteCount == 640 * 2 * 240)
        #expect(try device.currentFormat().size == wish.size)
        try device.checkFormat()
    }

    @Test func `rejects alternating fields of JPEG`() throws {
        let driver = FakeCameraIoctls()
        driver.fields = (V4L2_FIELD_ALTERNATE, V4L2_FIELD_ALTERNATE)
        var wish = wish
        wish.pixelFormat = .mjpeg
        expectRefusal("it delivers the fields of interlaced pictures separately, and those of MJPG cannot be read.") {
            try driver.configure(wish)
        }
    }

    @Test func `delivers top fields and requeues bottom fields`() throws {
        let driver = FakeCameraIoctls()
        driver.fields = (V4L2_FIELD_ALTERNATE, V4L2_FIELD_ALTERNATE)
        let stream = FakeStream(pages: 1)
        stream.fields = [V4L2_FIELD_TOP, V4L2_FIELD_BOTTOM, V4L2_FIELD_TOP, V4L2_FIELD_BOTTOM, V4L2_FIELD_BOTTOM]
        driver.stream = stream
        let device = try driver.device()
        let size = FrameSize(width: FakeStream.pageSize, height: 2)
        _ = try device.configure(CaptureFormat(pixelFormat: .grey, size: size, interval: nil), crop: nil)
        _ = try device.start()
        var drain = try device.dequeue()
        #expect(drain.taken == 2 && drain.superseded == 1 && drain.short == 0)
        guard let newest = drain.newest.take() else { throw OpenDevice.NoFrame(path: device.identity.path) }
        #expect(newest.index == 2)
        #expect(stream.waiting == 4)
    }

    @Test(arguments: [V4L2_FIELD_NONE.rawValue, V4L2_FIELD_INTERLACED_BT.rawValue])
    func `accepts other field orders unchanged`(_ field: UInt32) throws {
        let driver = FakeCameraIoctls()
        driver.fields.any = v4l2_field(rawValue: field)
        _ = try driver.configure(wish)
        #expect(driver.format.field == field)
        #expect(driver.changes == ["format", "rate"])
    }

    @Test func `a driver without rate control keeps its own rate`() throws {
        let driver = FakeCameraIoctls()
        driver.rate.capability = 0
        #expect(try driver.configure(wish).format.interval == FrameInterval(rate: "25"))
        #expect(driver.changes == ["format"])
        driver.rate.interval = v4l2_fract(numerator: 0, denominator: 0)
        #expect(try driver.configure(wish).format.interval == nil)
    }

    /// Implausible rates, which would yield timestamps and stall limits of zero.
    @Test(arguments: [(0, 30), (1, 0), (1, 10_000_000), (7200, 1)] as [(UInt32, UInt32)])
    func `an implausible frame rate is nil`(_ numerator: UInt32, _ denominator: UInt32) throws {
        let driver = FakeCameraIoctls()
        driver.rate.interval = v4l2_fract(numerator: numerator, denominator: denominator)
        let device = try driver.device()
        #expect(try device.configure(wish, crop: nil).format.interval == nil)
        #expect(try device.currentFormat().interval == nil)
    }

    @Test func `derives the YCbCr matrix from the colorspace`() {
        let expected: [(v4l2_colorspace, ColorEncoding.Matrix)] = [
            (V4L2_COLORSPACE_SRGB, .bt601), (V4L2_COLORSPACE_SMPTE170M, .bt601), (V4L2_COLORSPACE_REC709, .bt709),
            (V4L2_COLORSPACE_SMPTE240M, .smpte240m), (V4L2_COLORSPACE_BT2020, .bt2020),
        ]
        for (colorspace, matrix) in expected {
            let encoding = ColorEncoding(colors(colorspace: colorspace))
            #expect(encoding == ColorEncoding(matrix: matrix, range: .limited), "\(colorspace)")
        }
        #expect(ColorEncoding(colors(colorspace: V4L2_COLORSPACE_JPEG)) == .jfif)
    }

    /// Returns driver colours with V4L2 defaults for everything else.
    private func colors(
        hasChroma: Bool = true,
        colorspace: v4l2_colorspace = V4L2_COLORSPACE_DEFAULT,
        transfer: v4l2_xfer_func = V4L2_XFER_FUNC_DEFAULT,
        encoding: v4l2_ycbcr_encoding = V4L2_YCBCR_ENC_DEFAULT,
        quantization: v4l2_quantization = V4L2_QUANTIZATION_DEFAULT
    ) -> DriverColors {
        DriverColors(
            hasChroma: hasChroma,
            colorspace: colorspace.rawValue,
            transfer: transfer.rawValue,
            encoding: encoding.rawValue,
            quantization: quantization.rawValue
        )
    }

    @Test func `marks colour properties that the driver leaves open as assumed`() {
        let silent = ColorSignal(colors())
        #expect(silent.parts == [.primaries: "srgb", .transfer: "srgb", .matrix: "bt601", .range: "limited"])
        #expect(silent.assumed == ColorPart.allCases)
        let rgb = ColorSignal(colors(hasChroma: false, colorspace: V4L2_COLORSPACE_OPRGB))
        #expect(rgb.parts == [.primaries: "adobergb", .transfer: "adobergb", .range: "full"])
        #expect(rgb.assumed == [.transfer, .range])
        let whole = colors(
            colorspace: V4L2_COLORSPACE_BT2020,
            transfer: V4L2_XFER_FUNC_SMPTE2084,
            encoding: V4L2_YCBCR_ENC_BT2020,
            quantization: V4L2_QUANTIZATION_FULL_RANGE
        )
        let told = ColorSignal(whole)
        #expect(told.parts == [.primaries: "bt2020", .transfer: "smpte2084", .matrix: "bt2020", .range: "full"])
        #expect(told.assumed.isEmpty)
        let near = colors(colorspace: V4L2_COLORSPACE_BT2020, encoding: V4L2_YCBCR_ENC_BT2020_CONST_LUM)
        #expect(ColorSignal(near).assumed == [.transfer, .matrix, .range])
        #expect(ColorSignal(colors(colorspace: V4L2_COLORSPACE_RAW)).parts[.transfer] == "linear")
    }

    @Test func `RGB and greyscale default to full range`() throws {
        #expect(ColorEncoding(colors(hasChroma: false, colorspace: V4L2_COLORSPACE_SRGB)).range == .full)
        let limited = colors(hasChroma: false, quantization: V4L2_QUANTIZATION_LIM_RANGE)
        #expect(ColorEncoding(limited).range == .limited)
        #expect([FourCC.rgb24, .bgrx32, .sbggr8, .rgb565].allSatisfy { $0.isRGB })
        #expect([FourCC.yuyv, .grey, .y16, .m420, .mjpeg].allSatisfy { !$0.isRGB })
        for (format, range) in [
            (FourCC.grey, ColorEncoding.Range.full), (.y10, .full), (.rgb24, .full), (.yuyv, .limited),
        ] {
            var wish = wish
            wish.pixelFormat = format
            let layout = try FakeCameraIoctls().configure(wish).layout
            #expect(layout.color.range == range && layout.signal?.assumed.contains(.range) == true, "\(format)")
            #expect((layout.signal?.parts[.matrix] != nil) == (format == .yuyv))
        }
    }

    @Test func `changes no setting while the camera is busy`() throws {
        let driver = FakeCameraIoctls()
        let part = v4l2_rect(left: 8, top: 8, width: 64, height: 48)
        driver.rectangles = [V4L2_SEL_TGT_CROP: part, V4L2_SEL_TGT_COMPOSE: part]
        driver.refusal = EBUSY
        #expect(throws: DeviceError.busy(path: "/dev/fake", operation: "VIDIOC_S_FMT")) { try driver.configure(wish) }
        #expect(driver.changes.isEmpty)
        driver.refusal = 0
        _ = try driver.configure(wish)
        #expect(driver.changes == ["format", "crop", "format", "compose", "rate"])
        // Rectangles already at their defaults are not set again.
        _ = try driver.configure(wish)
        #expect(driver.changes.suffix(2) == ["format", "rate"])
        #expect(driver.changes.count == 7)
    }

    @Test func `accepts a size that changes with the rate`() throws {
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

    @Test func `reads the input status after setting the timings`() throws {
        let driver = FakeCameraIoctls()
        driver.timings = timings(1920, 1080)
        driver.status.before = UInt32(V4L2_IN_ST_NO_SYNC)
        #expect(try driver.device().selectInput(InputWish())?.timings == "1920x1080p")
        driver.status.after = UInt32(V4L2_IN_ST_NO_SIGNAL)
        let error = #expect(throws: DeviceError.self) { try driver.device().selectInput(InputWish()) }
        #expect(error?.problem.cause == .noSignal)
    }

    @Test func `accepts measured DV timings only with a valid size`() throws {
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

    @Test func `a control event carries the new value and changes of range or flags`() {
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
