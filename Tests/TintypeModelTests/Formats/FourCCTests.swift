// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

struct FourCCTests {
    @Test(arguments: [
        ("YUYV", UInt32(0x5659_5559)), ("MJPG", 0x4750_4A4D), ("GREY", 0x5945_5247), ("Y8", 0x2020_3859),
        ("NV12", 0x3231_564E),
    ])
    func `a name converts to its V4L2 code and back`(_ name: String, _ code: UInt32) {
        #expect(FourCC(name)?.rawValue == code)
        #expect(FourCC(rawValue: code).description == name)
    }

    @Test(arguments: ["", "YUYV2", "YÜV", "A\nB", "\u{7F}"])
    func `rejects an invalid name`(_ name: String) { #expect(FourCC(name) == nil) }

    @Test func `an unprintable code is described in hexadecimal`() {
        #expect(FourCC(rawValue: 0x0100_4142).description == "0x01004142")
    }

    @Test func `a big-endian code has the suffix BE`() {
        #expect(FourCC(rawValue: 0x8000_0000 | 0x2036_3159).description == "Y16-BE")
    }

    @Test(
        arguments: [
            ("MJPEG", "MJPG"), ("mjpg", "MJPG"), ("YUY2", "YUYV"), ("GRAY", "GREY"), ("i420", "YU12"),
            ("RGB24", "RGB3"), ("nv21", "NV21"), ("H264", nil), ("NV24", nil), ("RGBA", nil), ("MPEG", nil),
            ("Y16", nil),
        ] as [(String, String?)]
    )
    func `another name of a format finds its code`(_ name: String, _ meant: String?) {
        #expect(FourCC.nearest(to: name) == meant)
    }

    @Test func `only JPEG formats have no fixed length`() {
        let own = [.mjpeg, .jpeg] + FourCC.raw
        #expect(Set(own).count == 24)
        for format in own {
            let layout = PictureLayout(format, FrameSize(width: 8, height: 4))
            #expect((layout.byteCount == nil) == format.isJPEG, "\(format)")
            #expect((layout.minimumBytesPerRow == nil) == format.isJPEG, "\(format)")
        }
    }

    @Test func `a code is its name in JSON`() throws {
        #expect(try WireFormat.encode([FourCC.yuv422p]) == Array(#"["422P"]"#.utf8))
        #expect(try WireFormat.decode([FourCC].self, from: Array(#"["MJPG"]"#.utf8)) == [.mjpeg])
    }

    @Test func `refuses to decode an invalid name`() {
        #expect(throws: Problem.self) { try WireFormat.decode([FourCC].self, from: Array(#"["MJPEG"]"#.utf8)) }
    }

    @Test(arguments: [0x8000_0000 | 0x2036_3159, 0x0100_4142, 0x3231_564E, 0xFFFF_FFFF, 0x2020_2020] as [UInt32])
    func `any code of a driver round-trips through JSON`(_ code: UInt32) throws {
        let sent = [FourCC(rawValue: code)]
        #expect(try WireFormat.decode([FourCC].self, from: WireFormat.encode(sent)) == sent)
    }
}
