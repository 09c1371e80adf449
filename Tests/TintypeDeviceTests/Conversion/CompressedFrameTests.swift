// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

/// Compressed formats, whose decoders do not watch where a frame ends.
struct CompressedFrameTests {
    /// A PAC207 frame of uncoded rows, each of one grey.
    private func plainRows(_ width: Int, _ height: Int) -> [UInt8] {
        (0..<height).flatMap { row in [0x0F, 0xF0] + [UInt8](repeating: UInt8(row * 3), count: width) }
    }

    @Test func `a PAC207 frame of plain, coded and repeated rows is decoded`() throws {
        let layout = Converting.layout(.pac207, 16, 8)
        // A coded row: mark, two pixels, then codes; 00 means “as the pixel two to the left”.
        let coded: [UInt8] = [0x1E, 0xE1, 100, 100, 0, 0, 0, 0]
        let frame = plainRows(16, 4) + coded + coded + [0x4B, 0xB4, 0x4B, 0xB4]
        let picture = try Converting.picture(frame, layout)
        #expect(picture.bytes.count == 16 * 8 * 3)
        #expect(Array(picture.bytes.suffix(16 * 3)).allSatisfy { $0 == 100 })
    }

    @Test(arguments: [1, 2, 17, 18, 19, 8 * 18 - 1])
    func `a PAC207 frame that ends early is damaged, wherever it ends`(_ count: Int) {
        let error = #expect(throws: ConversionError.self) {
            try Converting.picture(Array(plainRows(16, 8).prefix(count)), Converting.layout(.pac207, 16, 8))
        }
        #expect(error?.description.contains("ends") == true)
    }

    @Test func `a PAC207 row that repeats one above the picture, or that is none, is damaged`() {
        let layout = Converting.layout(.pac207, 16, 8)
        for frame in [
            [0x4B, 0xB4] + plainRows(16, 8), plainRows(16, 1) + [0x4B, 0xB4] + plainRows(16, 6),
            plainRows(16, 5) + [0x12, 0x34] + plainRows(16, 2),
        ] {
            let error = #expect(throws: ConversionError.self) { try Converting.picture(frame, layout) }
            #expect(error?.description.contains("begins with none of the marks") == true)
        }
    }

    /// A SE401 packet: flags (2 for the first, 1 for the last), how many pixels, and how many bits of these bytes.
    private func packet(_ flags: Int, _ pixels: Int, _ bits: Int, _ bytes: [UInt8]) -> [UInt8] {
        [flags << 6 | pixels >> 8, pixels & 0xFF, bits >> 8, bits & 0xFF].map { UInt8($0) } + bytes
    }

    @Test func `a SE401 frame is decoded packet by packet`() throws {
        // 101 is “eight more than the pixel before”, 0 “the same again”; a row begins at zero.
        let first = packet(2, 32, 102, [0b1011_0110, 0b1000_0000] + [UInt8](repeating: 0, count: 12))
        let last = packet(1, 32, 96, [UInt8](repeating: 0, count: 12))
        let picture = try Converting.picture(first + last, Converting.layout(.se401, 16, 4))
        #expect(picture.bytes == [UInt8](repeating: 8, count: 48) + [UInt8](repeating: 0, count: 144))
    }

    // libv4lconvert takes the packet for one without an end, and the bits that are left would be written behind the picture.
    @Test func `a SE401 packet of no pixels is damaged`() {
        let packets = [
            packet(2, 32, 96, [UInt8](repeating: 0, count: 12)), packet(1, 32, 96, [UInt8](repeating: 0, count: 12)),
        ]
        for place in 0...2 {
            var frame = packets
            frame.insert(packet([2, 0, 1][place], 0, 8160, [UInt8](repeating: 0, count: 1020)), at: place)
            let error = #expect(throws: ConversionError.self) {
                try Converting.picture(Array(frame.joined()), Converting.layout(.se401, 16, 4))
            }
            #expect(error == .damaged("its packet at byte \(16 * place) has no pixels"))
        }
    }

    // Zeros are “as the pixel before” to these decoders, a bit a pixel; the first pixels are grey.
    @Test(arguments: [(FourCC.sn9c10x, 400), (.sn9c2028, 500)])
    func `of a decoder that takes anything only whole frames are taken`(_ format: FourCC, _ enough: Int) throws {
        let layout = Converting.layout(format, 64, 48)
        let header = format == .sn9c2028 ? 12 : 0
        let frame = [UInt8](repeating: 0, count: header) + [120, 120] + [UInt8](repeating: 0, count: enough)
        let picture = try Converting.picture(frame, layout)
        #expect(picture.layout.pixelFormat == .rgb24 && picture.bytes.contains { $0 > 0 })
        for count in [1, header + 3, 50, 300] {
            let error = #expect(throws: ConversionError.self) {
                try Converting.picture(Array(frame.prefix(count)), layout)
            }
            #expect(error?.description.contains("it ends before its picture does") == true, "\(count) bytes")
        }
    }

    @Test func `a JPGL frame that is cut is damaged`() throws {
        let layout = Converting.layout(.jpgl, 64, 48)
        // Each block: 11 bits of header, then codes up to the end of the block.
        let long = [UInt8](repeating: 0, count: 64 * 48 * 4)
        let whole = try Converting.picture(long, layout).bytes
        #expect(Set(whole).count < 4)
        for count in [1, 8, 32] {
            #expect(throws: ConversionError.self) { try Converting.picture(Array(long.prefix(count)), layout) }
        }
    }

    private static let compressed = ConvertedFormat.all.filter { $0.storage == .compressed }.map(\.pixelFormat)

    @Test(arguments: compressed)
    func `what is empty or far too long is damaged, and nothing is decoded of it`(_ format: FourCC) {
        let layout = Converting.layout(format, 64, 48)
        for count in [0, 4 * 64 * 48 + 65_537] {
            let error = #expect(throws: ConversionError.self) {
                try Converting.picture([UInt8](repeating: 0x0F, count: count), layout)
            }
            guard format != .pac207 else { continue }
            #expect(error?.description.contains("it has \(count) bytes where 64x48 takes 1 to") == true)
        }
    }

    // The memory behind frame and picture may not be touched: a decoder that leaves it ends this process.
    @Test(arguments: compressed)
    func `frames of noise are pictures or damaged, and nothing else happens`(_ format: FourCC) throws {
        var random = SeededGenerator(seed: 6448)
        for (width, height) in [(64, 48), (352, 288), (16, 4), (176, 144)] {
            try Converting.with(Converting.layout(format, width, height)) { converter in
                for _ in 0..<(width > 100 ? 5 : 100) {
                    let mask = UInt8.random(in: 0...255, using: &random)
                    let count = Int.random(in: 1...width * height, using: &random)
                    let frame = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) & mask }
                    do {
                        let picture = try Converting.picture(frame, &converter)
                        #expect(picture.bytes.count == width * height * 3)
                    } catch let error as ConversionError {
                        #expect(error.description.hasSuffix("."))
                    }
                }
            }
        }
    }
}
