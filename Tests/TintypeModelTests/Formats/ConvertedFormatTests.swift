// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

struct ConvertedFormatTests {
    @Test func `converted formats come after native formats`() {
        let supported = FourCC.supported
        #expect(Set(supported).count == supported.count)
        let first = supported.firstIndex { $0.isConverted } ?? 0
        #expect(supported[..<first].allSatisfy { !$0.isConverted })
        #expect(supported[first...].allSatisfy { $0.isConverted })
        #expect(supported[first...].count == ConvertedFormat.all.count)
        #expect(FourCC.yuyv.conversion == nil)
        #expect(FourCC.sbggr8.conversion?.pixelFormat == .sbggr8)
    }

    @Test(arguments: [
        "H264", "HEVC", "MPG4", "VP80", "S264", "JL20", "O511", "M310", "CPIA", "905C", "S561", "PJPG", "S501", "S505",
        "S508", "S920", "S401", "P207", "JPGL", "S910", "SONX",
    ])
    func `unsafe and non-picture formats are not supported`(_ name: String) throws {
        #expect(!FourCC.supported.contains(try #require(FourCC(name))))
    }

    @Test(arguments: [
        ("BA81", 640, 640 * 480), ("RG10", 1280, 1280 * 480), ("pRAA", 800, 800 * 480), ("GB16", 1280, 1280 * 480),
        ("Y16", 1280, 1280 * 480), ("Y16-BE", 1280, 1280 * 480), ("Y10B", 0, 640 * 480 * 10 / 8),
        ("M420", 0, 640 * 480 * 3 / 2), ("S680", 0, 640 * 480), ("RGBP", 1280, 1280 * 480),
    ])
    func `a converted layout has the byte count of its rows`(_ name: String, _ row: Int, _ bytes: Int) throws {
        let layout = PictureLayout(try #require(FourCC(name)), FrameSize(width: 640, height: 480))
        #expect(layout.minimumBytesPerRow == row)
        #expect(layout.byteCount == bytes)
        var padded = layout
        padded.bytesPerRow += 64
        #expect(padded.byteCount == (row > 0 ? bytes + 64 * 480 : bytes))
    }

    @Test(arguments: [
        ("BA81", FrameSize(width: 640, height: 480), true), ("BA81", FrameSize(width: 641, height: 480), false),
        ("BA81", FrameSize(width: 640, height: 481), false), ("BA81", FrameSize(width: 8, height: 6), false),
        ("BA81", FrameSize(width: 16_384, height: 8), true), ("BA81", FrameSize(width: 16_386, height: 8), false),
        ("pBAA", FrameSize(width: 322, height: 240), false), ("pBAA", FrameSize(width: 324, height: 240), true),
    ])
    func `refuses sizes that are unsafe in libv4lconvert`(_ name: String, _ size: FrameSize, _ isTaken: Bool) throws {
        let objection = try #require(FourCC(name)?.conversion).objection(to: size)
        #expect((objection == nil) == isTaken)
        if let objection { #expect(objection.contains(name) && objection.contains("not \(size)")) }
    }
}
