// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeModel

struct FormatWishTests {
    private static let hd = FrameSize(width: 1280, height: 720)
    private static let vga = FrameSize(width: 640, height: 480)
    private static let fullHD = FrameSize(width: 1920, height: 1080)

    private static func rates(_ rates: UInt32...) -> [FrameInterval] { rates.map(FrameInterval.init(framesPerSecond:)) }

    private static func offer(
        _ format: FourCC,
        _ sizes: [(FrameSize, [FrameInterval])],
        isEmulated: Bool = false
    ) -> FormatDescription {
        FormatDescription(
            pixelFormat: format,
            name: "\(format)",
            isSupported: FourCC.supported.contains(format),
            isEmulated: isEmulated,
            sizes: sizes.map { FrameSizeDescription(size: $0.0, intervals: $0.1) }
        )
    }

    /// A usual webcam: raw is slow at large sizes.
    private static let webcam = [
        offer(.mjpeg, [(vga, rates(30)), (hd, rates(60, 30)), (fullHD, rates(30))]),
        offer(.yuyv, [(vga, rates(30, 15)), (hd, rates(10, 5))]),
        offer(FourCC(rawValue: 0x3436_3248), [(hd, rates(30))]),
    ]

    /// A wish, a bus, and what comes of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var wish = FormatWish()
        var offered = FormatWishTests.webcam
        var bus = "usb-0000:00:14.0-2"
        let result: String
    }

    @Test(arguments: [
        Case(testDescription: "nothing said: raw where the bus carries it", result: "YUYV:1280x720@10"),
        Case(testDescription: "a size", wish: FormatWish(size: vga), result: "YUYV:640x480@30"),
        Case(
            testDescription: "a size that only MJPEG has",
            wish: FormatWish(pixelFormat: .mjpeg, size: fullHD),
            result: "MJPG:1920x1080@30"
        ),
        Case(testDescription: "a format", wish: FormatWish(pixelFormat: .mjpeg), result: "MJPG:1280x720@30"),
        Case(
            testDescription: "too much for USB: MJPEG",
            wish: FormatWish(interval: FrameInterval(framesPerSecond: 30)),
            result: "MJPG:1280x720@30"
        ),
        Case(
            testDescription: "the same on another bus: raw",
            wish: FormatWish(interval: FrameInterval(framesPerSecond: 30)),
            bus: "platform:csi",
            result: "YUYV:1280x720@30"
        ),
        Case(
            testDescription: "a size nobody has: the nearest",
            wish: FormatWish(size: FrameSize(width: 700, height: 500)),
            result: "YUYV:640x480@30"
        ),
        Case(
            testDescription: "no sizes told: what it is set to",
            offered: [FormatWishTests.offer(.nv12, [])],
            bus: "pci",
            result: "NV12:720x576@25"
        ),
        Case(
            testDescription: "emulated formats do not count",
            offered: [
                FormatWishTests.offer(.rgb24, [(hd, rates(30))], isEmulated: true),
                FormatWishTests.offer(.grey, [(vga, rates(30))]),
            ],
            result: "GREY:640x480@30"
        ),
        Case(
            testDescription: "raw that is too much for USB, and nothing else",
            offered: [FormatWishTests.offer(.yuyv, [(fullHD, rates(30))])],
            result: "YUYV:1920x1080@30"
        ),
    ])
    func `a wish becomes a format to ask for`(_ item: Case) throws {
        let current = CaptureFormat(
            pixelFormat: .nv12,
            size: FrameSize(width: 720, height: 576),
            interval: FrameInterval(framesPerSecond: 25)
        )
        let camera = CameraIdentity(path: "/dev/video9", card: "", driver: "", busInfo: item.bus)
        let format = try item.wish.resolve(offered: item.offered, current: current, of: camera)
        #expect(format.description == item.result)
    }

    @Test(arguments: [
        (FormatWish(pixelFormat: .nv12), webcam, "does not offer NV12, only MJPG, YUYV, H264"),
        (FormatWish(), [], "offers no format"),
        (FormatWish(), [webcam[2]], "no picture can be made from the formats it offers: H264"),
    ])
    func `what cannot be had is refused with what there is`(
        _ wish: FormatWish,
        _ offered: [FormatDescription],
        _ words: String
    ) {
        let current = CaptureFormat(pixelFormat: .yuyv, size: Self.vga, interval: nil)
        let camera = CameraIdentity(path: "/dev/video9", card: "", driver: "", busInfo: "")
        let error = #expect(throws: DeviceError.self) {
            try wish.resolve(offered: offered, current: current, of: camera)
        }
        #expect(error?.description.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.description.contains("/dev/video9") == true)
    }
}
