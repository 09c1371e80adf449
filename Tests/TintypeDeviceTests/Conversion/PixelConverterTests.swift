// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

struct PixelConverterTests {
    /// A colour with three different components.
    private static let (red, green, blue) = (UInt8(208), UInt8(96), UInt8(32))

    /// Returns a Bayer frame of one colour: `order` names 2x2 pixels from the top left, `store` encodes a row.
    private func frame(_ order: String, _ layout: PictureLayout, _ store: ([UInt8]) -> [UInt8]) -> [UInt8] {
        let values = order.map { $0 == "R" ? Self.red : $0 == "G" ? Self.green : Self.blue }
        return (0..<layout.size.height).flatMap { row in
            store((0..<layout.size.width).map { values[row % 2 * 2 + $0 % 2] })
        }
    }

    private static let orders = ["BGGR", "GBRG", "GRBG", "RGGB"]

    private func expectColour(_ picture: (layout: PictureLayout, bytes: [UInt8]), _ comment: String) {
        #expect(picture.layout.pixelFormat == .rgb24)
        #expect(picture.bytes.count == picture.layout.size.area * 3)
        let wanted = [Self.red, Self.green, Self.blue]
        let wrong = picture.bytes.indices.filter { picture.bytes[$0] != wanted[$0 % 3] }
        #expect(wrong.isEmpty, "\(comment): \(wrong.count) bytes are wrong")
    }

    @Test(arguments: [(16, 8), (8, 8), (322, 10)])
    func `converts every Bayer order and depth to the right colours`(width: Int, height: Int) throws {
        let families: [([FourCC], ([UInt8]) -> [UInt8])] = [
            ([.sbggr8, .sgbrg8, .sgrbg8, .srggb8], { $0 }),
            (FourCC.bayer10, { $0.flatMap { [UInt8($0 << 2 & 0xFF), UInt8($0 >> 6)] } }),
            (FourCC.bayer16, { $0.flatMap { [UInt8(0x5A), $0] } }),
        ]
        for (formats, store) in families {
            for (format, order) in zip(formats, Self.orders) {
                let layout = Converting.layout(format, width, height)
                expectColour(try Converting.picture(frame(order, layout, store), layout), "\(format)")
            }
        }
        guard width.isMultiple(of: 4) else { return }
        for (format, order) in zip(FourCC.bayer10Packed, Self.orders) {
            let layout = Converting.layout(format, width, height)
            // The upper bits of four pixels, followed by a byte with the lower bits of all four.
            let bytes = frame(order, layout) { row in
                stride(from: 0, to: row.count, by: 4).flatMap { Array(row[$0..<$0 + 4]) + [0xFF] }
            }
            expectColour(try Converting.picture(bytes, layout), "\(format)")
        }
    }

    @Test func `16-bit greyscale keeps the upper byte in either byte order`() throws {
        for (format, isBig) in [(FourCC.y16, false), (.y16be, true)] {
            let layout = Converting.layout(format, 32, 8)
            let frame = (0..<32 * 8).flatMap { index -> [UInt8] in
                let (high, low) = (UInt8(index % 256), UInt8(0xA5))
                return isBig ? [high, low] : [low, high]
            }
            let picture = try Converting.picture(frame, layout)
            #expect(picture.layout.pixelFormat == .yu12)
            #expect(Array(picture.bytes.prefix(256)) == (0..<256).map { UInt8($0) })
            #expect(picture.bytes.dropFirst(256).allSatisfy { $0 == 128 })
            #expect(picture.layout.color == layout.color)
        }
    }

    private static let converted = ConvertedFormat.all.map(\.pixelFormat)

    @Test(arguments: converted)
    func `ignores padding after rows and after the frame`(_ format: FourCC) throws {
        var random = SeededGenerator(seed: 3216)
        let (plain, padded) = (Converting.layout(format, 32, 16), Converting.layout(format, 32, 16, padding: 24))
        let count = try #require(plain.byteCount)
        let frame = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let row = plain.minimumBytesPerRow ?? 0
        let padding = [UInt8](repeating: 0xEE, count: 24)
        let wide = row == 0 ? frame : stride(from: 0, to: count, by: row).flatMap { frame[$0..<$0 + row] + padding }
        #expect(wide.count == padded.byteCount)
        let expected = try Converting.picture(frame, plain)
        #expect(expected.bytes.count == expected.layout.byteCount)
        #expect(Set(expected.bytes).count > 16, "no picture")
        #expect(try Converting.picture(wide + [1, 2, 3], padded).bytes == expected.bytes)
    }

    @Test(arguments: converted)
    func `rejects a short frame with both byte counts`(_ format: FourCC) throws {
        let layout = Converting.layout(format, 32, 16, padding: 8)
        let need = try #require(layout.byteCount)
        for have in [need - 1, need / 2, 1, 0] {
            let frame = [UInt8](repeating: 7, count: have)
            #expect(throws: ConversionError.short(have: have, need: need)) { try Converting.picture(frame, layout) }
        }
    }

    @Test func `rejects an unsupported size when the converter is created`() {
        let error = #expect(throws: DeviceError.self) { try Converting.picture([], Converting.layout(.sbggr8, 33, 8)) }
        #expect(error?.problem.code == .configurationUnsupported)
        #expect(error?.description == "test: libv4lconvert takes BA81 in multiples of 2x2, not 33x8.")
    }

    @Test(arguments: [.mjpeg, .jpeg] + FourCC.raw)
    func `natively supported formats need no converter`(_ format: FourCC) {
        #expect(throws: Converting.NothingToDo.self) { try Converting.picture([], Converting.layout(format, 32, 16)) }
    }

    @Test func `a converter still works after a bad frame`() throws {
        let layout = Converting.layout(.srggb8, 16, 8)
        let good = frame("RGGB", layout) { $0 }
        try Converting.with(layout) { converter in
            for _ in 0..<20 {
                expectColour(try Converting.picture(good, &converter), "RGGB")
                #expect(throws: ConversionError.self) { try Converting.picture(Array(good.dropLast()), &converter) }
            }
        }
    }
}
