// SPDX-License-Identifier: Apache-2.0
import DeviceReplay
import Testing
import TintypeDevice
import TintypeModel

/// What each recorded device is asked for and grants.
struct RecordedNegotiationTests {
    /// A device, and what it grants of the presets photo, high, medium and low, and without a wish.
    struct Row: CustomTestStringConvertible, Sendable {
        let device: String
        let photo: String
        let high: String
        let medium: String
        let low: String
        let none: String
        var testDescription: String { device }
    }

    static let rows = [
        Row(
            device: "gspca-zc3xx",
            photo: "JPEG:640x480",
            high: "JPEG:640x480",
            medium: "JPEG:640x480",
            low: "JPEG:640x480",
            none: "JPEG:640x480"
        ),
        Row(
            device: "hdmi-grabber-ms2109",
            photo: "YUYV:1920x1080@5",
            high: "MJPG:1920x1080@30",
            medium: "MJPG:1280x720@30",
            low: "YUYV:640x480@20",
            none: "YUYV:1280x720@10"
        ),
        Row(
            device: "logitech-brio",
            photo: "MJPG:4096x2160@30",
            high: "MJPG:1920x1080@30",
            medium: "MJPG:1280x720@30",
            low: "NV12:640x480@15",
            none: "NV12:1280x720@15"
        ),
        Row(
            device: "logitech-c270",
            photo: "YUYV:1280x960@7.5",
            high: "MJPG:1280x960@30",
            medium: "MJPG:1280x720@30",
            low: "YUYV:640x480@15",
            none: "YUYV:1280x720@7.5"
        ),
        Row(
            device: "logitech-c920",
            photo: "YUYV:2304x1536@2",
            high: "MJPG:1920x1080@30",
            medium: "MJPG:1280x720@30",
            low: "YUYV:640x480@15",
            none: "YUYV:1280x720@10"
        ),
        Row(
            device: "microsoft-lifecam-studio",
            photo: "YUYV:640x480@5",
            high: "YUYV:640x480@5",
            medium: "YUYV:640x480@5",
            low: "YUYV:640x480@5",
            none: "YUYV:640x480@5"
        ),
        Row(
            device: "raspberry-pi-bcm2835",
            photo: "YUYV:2592x1944@30",
            high: "YUYV:1920x1080@30",
            medium: "YUYV:1280x720@30",
            low: "YUYV:640x480@15",
            none: "YUYV:1280x720@30"
        ),
        Row(
            device: "razer-kiyo",
            photo: "MJPG:1920x1080@30",
            high: "MJPG:1920x1080@30",
            medium: "MJPG:640x480@30",
            low: "MJPG:640x480@30",
            none: "MJPG:640x480@30"
        ),
        Row(
            device: "thermal-purethermal",
            photo: "UYVY:160x120@9",
            high: "UYVY:160x120@9",
            medium: "UYVY:160x120@9",
            low: "UYVY:160x120@9",
            none: "UYVY:160x120@9"
        ),
        Row(
            device: "usb-endoscope",
            photo: "MJPG:1920x1080@30",
            high: "MJPG:1920x1080@30",
            medium: "MJPG:1280x720@30",
            low: "YUYV:640x480@30",
            none: "MJPG:1280x720@30"
        ),
        Row(
            device: "v4l2loopback",
            photo: "YUYV:320x180@30",
            high: "YUYV:320x180@30",
            medium: "YUYV:320x180@30",
            low: "YUYV:320x180@30",
            none: "YUYV:320x180@30"
        ),
        Row(
            device: "virtual-usb-camera",
            photo: "MJPG:1280x720@30",
            high: "MJPG:1280x720@30",
            medium: "MJPG:1280x720@30",
            low: "YUYV:640x480@15",
            none: "MJPG:1280x720@30"
        ),
        Row(
            device: "vivid-hdmi",
            photo: "YUYV:1280x720@60",
            high: "YUYV:1920x1080@60",
            medium: "YUYV:1280x720@60",
            low: "YUYV:640x480@60",
            none: "YUYV:1280x720@60"
        ),
        Row(
            device: "vivid-mplane",
            photo: "YUYV:3840x2160@2",
            high: "YUYV:1920x1080@5",
            medium: "YUYV:1280x720@12.5",
            low: "YUYV:640x480@15",
            none: "YUYV:1280x720@12.5"
        ),
        Row(
            device: "vivid-tv",
            photo: "YUYV:720x576@25",
            high: "YUYV:1920x1080@25",
            medium: "YUYV:1280x720@25",
            low: "YUYV:640x480@25",
            none: "YUYV:720x576@25"
        ),
        Row(
            device: "vivid-webcam",
            photo: "YUYV:3840x2160@2",
            high: "YUYV:1920x1080@5",
            medium: "YUYV:1280x720@12.5",
            low: "YUYV:640x480@15",
            none: "YUYV:1280x720@12.5"
        ),
    ]

    @Test(arguments: rows)
    func `each preset gets what the device has for it`(_ row: Row) throws {
        let wishes: [(FormatPreset?, String)] = [
            (.photo, row.photo), (.high, row.high), (.medium, row.medium), (.low, row.low), (nil, row.none),
        ]
        for (preset, expected) in wishes {
            let granted = try RecordedDevices.granted(FormatWish(preset: preset), of: row.device)
            #expect(granted.format.description == expected, "\(preset.map { "\($0)" } ?? "none")")
            #expect(granted.layout.size == granted.format.size)
            #expect(granted.layout.bytesPerRow >= granted.layout.minimumBytesPerRow ?? 0)
        }
    }

    @Test func `every record has its row`() throws {
        #expect(try RecordedDevices.names == Self.rows.map(\.device).sorted())
    }

    /// A wish to one device, and what comes of it.
    struct Wish: CustomTestStringConvertible, Sendable {
        let device: String
        let wish: FormatWish
        let expected: String
        var testDescription: String { "\(device): \(expected)" }
    }

    static let wishes = [
        Wish(
            device: "logitech-c920",
            wish: FormatWish(pixelFormats: [.mjpeg], size: .near(FrameSize(width: 1000, height: 570))),
            expected: "MJPG:1024x576@30"
        ),
        Wish(
            device: "logitech-c920",
            wish: FormatWish(
                pixelFormats: [.yuyv],
                size: .atLeast(FrameSize(width: 800, height: 600)),
                rate: .atLeast(FrameInterval(framesPerSecond: 20))
            ),
            expected: "YUYV:800x600@20"
        ),
        // Between the steps of 2 on both sides.
        Wish(
            device: "raspberry-pi-bcm2835",
            wish: FormatWish(
                pixelFormats: [.nv12],
                size: .near(FrameSize(width: 1001, height: 563)),
                rate: .near(FrameInterval(framesPerSecond: 120))
            ),
            expected: "NV12:1000x562@90"
        ),
        Wish(
            device: "hdmi-grabber-ms2109",
            wish: FormatWish(
                size: .exactly(FrameSize(width: 1280, height: 720)),
                rate: .exactly(FrameInterval(framesPerSecond: 60))
            ),
            expected: "MJPG:1280x720@60"
        ),
    ]

    @Test(arguments: wishes)
    func `a wish gets the nearest that the device has`(_ wish: Wish) throws {
        #expect(try RecordedDevices.granted(wish.wish, of: wish.device).format.description == wish.expected)
    }

    @Test func `the rates of a size out of a range are those of that size`() throws {
        var record = try RecordedDevices.record("raspberry-pi-bcm2835")
        for index in record.formats.indices {
            record.formats[index].asked = record.formats[index].asked?.map { answer in
                var answer = answer
                answer.intervals = answer.size.width > 1280 ? [Fraction(1, 15)] : [Fraction(1, 60), Fraction(1, 15)]
                answer.hasIntervalRange = nil
                return answer
            }
        }
        let device = try V4L2Device(replaying: record)
        let offer = FormatOffer(
            camera: device.identity,
            formats: try device.formats(),
            current: try device.currentFormat()
        )
        let fast = FormatWish(
            size: .exactly(FrameSize(width: 640, height: 480)),
            rate: .exactly(FrameInterval(framesPerSecond: 60))
        )
        #expect(try fast.resolve(offer, asking: device).description == "YUYV:640x480@60")
        let large = FormatWish(preset: .photo, rate: .near(FrameInterval(framesPerSecond: 60)))
        #expect(try device.configure(large.resolve(offer, asking: device), crop: nil).format.interval?.rate == 15)
    }

    @Test func `what a device does not have is refused with what it has`() throws {
        let reason = "the camera does not offer exactly 1920x1080; the nearest that it offers is UYVY:160x120@9."
        #expect(throws: DeviceError.unsupported(path: "/dev/thermal-purethermal", reason: reason)) {
            try RecordedDevices.granted(
                FormatWish(size: .exactly(FrameSize(width: 1920, height: 1080))),
                of: "thermal-purethermal"
            )
        }
        let only = "the camera does not offer YUYV, only MJPG."
        #expect(throws: DeviceError.unsupported(path: "/dev/razer-kiyo", reason: only)) {
            try RecordedDevices.granted(FormatWish(pixelFormats: [.yuyv]), of: "razer-kiyo")
        }
    }
}
