// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

struct FourCCTests {
    @Test(arguments: [
        ("YUYV", UInt32(0x5659_5559)), ("MJPG", 0x4750_4A4D), ("GREY", 0x5945_5247), ("Y8", 0x2020_3859),
        ("NV12", 0x3231_564E),
    ])
    func `a name is the code of linux videodev2 h, and back`(_ name: String, _ code: UInt32) {
        #expect(FourCC(name)?.rawValue == code)
        #expect(FourCC(rawValue: code).description == name)
    }

    @Test(arguments: ["", "YUYV2", "YÜV", "A\nB", "\u{7F}"])
    func `what is no name of a code is not read`(_ name: String) { #expect(FourCC(name) == nil) }

    @Test func `a code that cannot be printed is hexadecimal and a big-endian format says so`() {
        #expect(FourCC(rawValue: 0x0100_4142).description == "0x01004142")
        #expect(FourCC(rawValue: 0x8000_0000 | 0x2036_3159).description == "Y16-BE")
    }

    @Test func `every format that we read is known to the layout, JPEG by having no fixed length`() {
        let own = [.mjpeg, .jpeg] + FourCC.raw
        #expect(Set(own).count == 24)
        for format in own {
            let layout = PictureLayout(format, FrameSize(width: 8, height: 4))
            #expect((layout.byteCount == nil) == format.isJPEG, "\(format)")
            #expect((layout.minimumBytesPerRow == nil) == format.isJPEG, "\(format)")
        }
    }

    @Test func `on the wire it is its name, and no other text is read`() throws {
        #expect(try WireFormat.encode([FourCC.yuv422p]) == Array(#"["422P"]"#.utf8))
        #expect(try WireFormat.decode([FourCC].self, from: Array(#"["MJPG"]"#.utf8)) == [.mjpeg])
        #expect(throws: Problem.self) { try WireFormat.decode([FourCC].self, from: Array(#"["MJPEG"]"#.utf8)) }
    }

    @Test(arguments: [0x8000_0000 | 0x2036_3159, 0x0100_4142, 0x3231_564E, 0xFFFF_FFFF, 0x2020_2020] as [UInt32])
    func `every code that a driver may have goes over the wire and comes back`(_ code: UInt32) throws {
        let sent = [FourCC(rawValue: code)]
        #expect(try WireFormat.decode([FourCC].self, from: WireFormat.encode(sent)) == sent)
    }
}
