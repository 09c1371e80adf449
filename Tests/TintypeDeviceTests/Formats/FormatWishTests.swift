// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeDevice

struct FormatWishTests {
    private static let hd = FrameSize(width: 1280, height: 720)
    private static let vga = FrameSize(width: 640, height: 480)
    private static let fullHD = FrameSize(width: 1920, height: 1080)

    private static func rates(_ rates: UInt32...) -> [FrameInterval] { rates.map(FrameInterval.init(framesPerSecond:)) }

    private static func description(
        _ format: FourCC,
        _ sizes: [(FrameSize, [FrameInterval])],
        isEmulated: Bool = false
    ) -> FormatDescription {
        FormatDescription(
            pixelFormat: format,
            name: "\(format)",
            isEmulated: isEmulated,
            sizes: sizes.map { FrameSizeDescription(size: $0.0, intervals: $0.1) }
        )
    }

    private static func offer(_ formats: [FormatDescription], on bus: String = "usb-0000:00:14.0-2") -> FormatOffer {
        let interval = FrameInterval(framesPerSecond: 25)
        return FormatOffer(
            camera: CameraIdentity(path: "/dev/video9", card: "", driver: "", busInfo: bus),
            formats: formats,
            current: CaptureFormat(pixelFormat: .nv12, size: FrameSize(width: 720, height: 576), interval: interval)
        )
    }

    /// Returns the same offer with a signal.
    private static func signal(_ offer: FormatOffer) -> FormatOffer {
        var offer = offer
        offer.hasSignal = true
        return offer
    }

    /// Returns the offer of a camera outside USB with a range of sizes of one format.
    private static func range(
        _ format: FourCC,
        from minimum: FrameSize,
        to maximum: FrameSize,
        _ rates: [FrameInterval] = []
    ) -> FormatOffer {
        var offered = description(format, [(maximum, rates)])
        (offered.sizes[0].minimum, offered.sizes[0].step) = (minimum, minimum)
        offered.sizes[0].hasIntervalRange = !rates.isEmpty
        return offer([offered], on: "pci")
    }

    /// An ordinary webcam: raw formats are slow at large sizes.
    private static let webcam = offer([
        description(.mjpeg, [(vga, rates(30)), (hd, rates(60, 30)), (fullHD, rates(30))]),
        description(.yuyv, [(vga, rates(30, 15)), (hd, rates(10, 5))]), video,
    ])

    /// A camera with stepwise sizes and a range of rates.
    private static let stepwise = range(
        .nv12,
        from: FrameSize(width: 32, height: 16),
        to: FrameSize(width: 2592, height: 1944),
        rates(60, 1)
    )
    private static let continuous = range(.grey, from: FrameSize(width: 1, height: 1), to: fullHD)
    private static let silent = offer([description(.nv12, [])], on: "pci")
    private static let video = description(FourCC(rawValue: 0x3436_3248), [(hd, rates(30))])
    private static let unknown = description(FourCC(rawValue: 0x315A_5A5A), [])

    /// A request, an offer and the expected result.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let wish: FormatWish
        let offered: FormatOffer
        let result: String

        init(
            _ description: String,
            _ wish: FormatWish = FormatWish(),
            of offered: FormatOffer = FormatWishTests.webcam,
            gives result: String
        ) {
            (testDescription, self.wish, self.offered, self.result) = (description, wish, offered, result)
        }
    }

    /// Returns a request as written in a configuration.
    private static func wish(
        _ preset: FormatPreset? = nil,
        _ formats: [FourCC] = [],
        size: String? = nil,
        rate: String? = nil
    ) -> FormatWish {
        let (size, rate) = (size.flatMap { SizeWish($0) }, rate.flatMap { RateWish($0) })
        return FormatWish(preset: preset, pixelFormats: formats, size: size, rate: rate)
    }

    private static let raw30 = [description(.yuyv, [(hd, rates(30))]), description(.mjpeg, [(hd, rates(30))])]

    @Test(arguments: [
        Case("nothing said: raw where the bus carries it", gives: "YUYV:1280x720@10"),
        Case("a size", wish(size: "640x480"), gives: "YUYV:640x480@30"),
        Case("a size that only MJPEG has", wish(size: "1920x1080"), gives: "MJPG:1920x1080@30"),
        Case("a format", wish(nil, [.mjpeg]), gives: "MJPG:1280x720@30"),
        Case("a rate that raw does not have at this size", wish(rate: "30"), gives: "MJPG:1280x720@30"),
        Case("too much for USB 2: MJPEG", wish(rate: "30"), of: offer(raw30), gives: "MJPG:1280x720@30"),
        Case("on another bus: raw", wish(rate: "30"), of: offer(raw30, on: "platform:csi"), gives: "YUYV:1280x720@30"),
        Case("a size nobody has: the nearest", wish(size: "700x500"), gives: "YUYV:640x480@30"),
        Case("at least: the smallest that is large enough", wish(size: "at least 700x500"), gives: "YUYV:1280x720@10"),
        Case("at least more than there is: the largest", wish(size: "at least 4000x3000"), gives: "MJPG:1920x1080@30"),
        Case("at most: the largest that is small enough", wish(size: "at most 1900x1000"), gives: "YUYV:1280x720@10"),
        Case("at most less than there is: the smallest", wish(size: "at most 100x100"), gives: "YUYV:640x480@30"),
        Case("exactly a size", wish(size: "exactly 1920x1080"), gives: "MJPG:1920x1080@30"),
        Case(
            "exactly counts more than the order",
            wish(nil, [.yuyv, .mjpeg], size: "exactly 1920x1080"),
            gives: "MJPG:1920x1080@30"
        ),
        Case(
            "the order counts more than the nearest",
            wish(nil, [.yuyv, .mjpeg], size: "1920x1080"),
            gives: "YUYV:1280x720@10"
        ),
        Case("a format that is not there is passed over", wish(nil, [.nv12, .mjpeg]), gives: "MJPG:1280x720@30"),
        Case("at least a rate: the lowest that is high enough", wish(rate: "at least 31"), gives: "MJPG:1280x720@60"),
        Case(
            "at least a rate, and the nearest size that has it",
            wish(size: "at least 640x480", rate: "at least 25"),
            gives: "YUYV:640x480@30"
        ),
        Case("exactly a rate", wish(size: "640x480", rate: "exactly 15"), gives: "YUYV:640x480@15"),
        Case("photo: the largest", wish(.photo), gives: "MJPG:1920x1080@30"),
        Case("high", wish(.high), gives: "MJPG:1920x1080@30"), Case("medium", wish(.medium), gives: "MJPG:1280x720@30"),
        Case("low", wish(.low), gives: "YUYV:640x480@15"),
        Case("a size wins over the preset", wish(.high, size: "640x480"), gives: "YUYV:640x480@30"),
        Case("stepwise: rounded to the nearest step", wish(size: "650x490"), of: stepwise, gives: "NV12:640x496@30"),
        Case("stepwise, at least: rounded up", wish(size: "at least 650x490"), of: stepwise, gives: "NV12:672x496@30"),
        Case("stepwise, at most: rounded down", wish(size: "at most 650x490"), of: stepwise, gives: "NV12:640x480@30"),
        Case("stepwise: no larger than there is", wish(.photo), of: stepwise, gives: "NV12:2592x1936@30"),
        Case("a range of rates has any between", wish(rate: "exactly 24.5"), of: stepwise, gives: "NV12:1280x720@24.5"),
        Case("a range of rates has no more than its ends", wish(rate: "90"), of: stepwise, gives: "NV12:1280x720@60"),
        Case("continuous: any size", wish(size: "exactly 333x77"), of: continuous, gives: "GREY:333x77"),
        Case("continuous, no rates told: as asked", wish(rate: "12"), of: continuous, gives: "GREY:1280x720@12"),
        Case("no sizes told: what it is set to", of: silent, gives: "NV12:720x576@25"),
        Case("no sizes told: a size that is named", wish(size: "640x480"), of: silent, gives: "NV12:640x480@25"),
        Case("no sizes told: at most more than it is set to", wish(.high), of: silent, gives: "NV12:720x576@30"),
        Case("a signal has its own size", of: signal(stepwise), gives: "NV12:704x576@30"),
        Case("a signal is not blown up", wish(.photo), of: signal(continuous), gives: "GREY:720x576"),
        Case(
            "emulated formats do not count",
            of: offer([
                description(.rgb24, [(hd, rates(30))], isEmulated: true), description(.grey, [(vga, rates(30))]),
            ]),
            gives: "GREY:640x480@30"
        ),
        Case(
            "raw that is too much for USB, and nothing else",
            of: offer([description(.yuyv, [(fullHD, rates(30))])]),
            gives: "YUYV:1920x1080@30"
        ),
        Case(
            "H.264 besides others does not matter",
            of: offer([video, description(.grey, [(vga, rates(30))])]),
            gives: "GREY:640x480@30"
        ),
    ])
    func `resolves a request to a capture format`(_ item: Case) throws {
        #expect(try item.wish.resolve(item.offered).description == item.result)
    }

    @Test(arguments: [
        (wish(nil, [.nv12, .grey]), webcam, "does not offer NV12 or GREY, only MJPG, YUYV, H264"),
        (FormatWish(), offer([]), "offers no format"),
        (FormatWish(), offer([unknown]), "no picture can be made from the formats it offers: ZZZ1"),
        (FormatWish(), offer([video]), "offers compressed video alone: H264"),
        (
            wish(size: "exactly 800x600"), webcam,
            "does not offer exactly 800x600; the nearest that it offers is YUYV:640x480"
        ),
        (wish(rate: "exactly 25"), webcam, "does not offer exactly 25 frames a second; the nearest that it offers is"),
        (
            wish(size: "exactly 650x480"), stepwise,
            "does not offer exactly 650x480; the nearest that it offers is NV12:640x480"
        ),
    ])
    func `rejects an unavailable format and names others`(wish: FormatWish, offered: FormatOffer, words: String) {
        let error = #expect(throws: DeviceError.self) { try wish.resolve(offered) }
        #expect(error?.problem.code == .configurationUnsupported)
        #expect(error?.description.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.description.contains("/dev/video9") == true)
    }

    @Test func `rejects a camera with only compressed video and gives a remedy`() {
        let error = #expect(throws: DeviceError.self) { try FormatWish().resolve(Self.offer([Self.video])) }
        #expect(error == .onlyVideo(path: "/dev/video9", formats: "H264"))
        #expect(error?.problem.remedy.contains("another node") == true)
    }

    @Test(
        arguments: [
            (wish(size: "exactly 640x480"), "MJPG:640x480@30", nil),
            (wish(size: "exactly 640x480"), "MJPG:1280x720@30", "exactly 640x480 was asked for, and 1280x720 granted"),
            (wish(rate: "exactly 30"), "MJPG:1280x720@25", "exactly 30 was asked for, and 25 granted"),
            (wish(rate: "exactly 30"), "MJPG:1280x720@29.97", "exactly 30 was asked for, and 29.97 granted"),
            (wish(rate: "exactly 30"), "MJPG:1280x720", "the driver has no notion of one"),
            (wish(size: "at least 9x9", rate: "at least 60"), "MJPG:1x1@1", nil),
        ] as [(FormatWish, String, String?)]
    )
    func `fails only when an exact request is not granted`(
        _ wish: FormatWish,
        _ granted: String,
        _ words: String?
    ) throws {
        let granted = try Self.format(granted)
        guard let words else {
            try wish.check(granted, path: "/dev/video9")
            return
        }
        let error = #expect(throws: DeviceError.self) { try wish.check(granted, path: "/dev/video9") }
        #expect(error?.problem.code == .configurationUnsupported)
        #expect(error?.description.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(
        arguments: [
            (FormatWish(), "MJPG:640x480@30", []), (wish(.photo), "MJPG:640x480@30", []),
            (wish(nil, [.yuyv], size: "640x480", rate: "30"), "YUYV:640x480@30", []),
            (wish(size: "640x480"), "YUYV:800x600@30", ["the size: 640x480 was asked for, and 800x600 granted"]),
            (wish(size: "at least 640x480", rate: "at least 15"), "YUYV:800x600@30", []),
            (
                wish(size: "at most 640x480"), "YUYV:800x600@30",
                ["the size: at most 640x480 was asked for, and 800x600 granted"]
            ),
            (
                wish(nil, [.yuyv, .nv12], rate: "at least 31"), "MJPG:640x480@30",
                [
                    "the format: YUYV or NV12 was asked for, and MJPG granted",
                    "the rate: at least 31 was asked for, and 30 granted",
                ]
            ),
            (wish(rate: "25"), "YUYV:640x480@30", ["the rate: 25 was asked for, and 30 granted"]),
        ] as [(FormatWish, String, [String])]
    )
    func `lists the parts that were not granted`(_ wish: FormatWish, _ granted: String, _ unmet: [String]) throws {
        #expect(wish.unmet(by: try Self.format(granted)) == unmet)
    }

    private static func format(_ text: String) throws -> CaptureFormat {
        let parts = text.split(separator: "@").map(String.init)
        let head = parts[0].split(separator: ":").map(String.init)
        return CaptureFormat(
            pixelFormat: try #require(FourCC(head[0])),
            size: try #require(FrameSize(head[1])),
            interval: parts.count > 1 ? FrameInterval(rate: parts[1]) : nil
        )
    }

    @Test func `a crop sets the requested size unless one is given`() {
        let crop = CropRectangle(size: FrameSize(width: 200, height: 100), left: 4, top: 2)
        #expect(FormatWish().cropped(to: crop).size == .near(crop.size))
        #expect(FormatWish().cropped(to: nil) == FormatWish())
        #expect(Self.wish(size: "640x480").cropped(to: crop) == Self.wish(size: "640x480"))
        #expect(Self.wish(.high).cropped(to: crop) == Self.wish(.high))
    }
}
