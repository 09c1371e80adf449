// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeImaging
internal import TintypeModel

extension PictureLayout: CustomTestStringConvertible {
    package var testDescription: String {
        "\(pixelFormat) \(size) in rows of \(bytesPerRow), \(color.matrix.rawValue) \(color.range.rawValue)"
    }
}

/// Layouts of camera frames.
enum Layouts {
    /// RGB formats depend on the range only.
    static let ranges = [ColorEncoding.jfif, ColorEncoding(matrix: .bt601, range: .limited)]
    static let encodings = ColorEncoding.Matrix.allCases.flatMap { matrix in
        [ColorEncoding.Range.full, .limited].map { ColorEncoding(matrix: matrix, range: $0) }
    }
    static let sizes = [(64, 48), (67, 48), (64, 47), (37, 21), (2, 2), (1, 1), (3, 1), (1, 5)].map {
        FrameSize(width: $0, height: $1)
    }

    /// Every format at every size, without padding and with even and odd padding.
    static let all: [PictureLayout] = FourCC.raw.flatMap { format in
        sizes.flatMap { size in
            [0, 12, 29].flatMap { padding in
                (format.isRGB ? ranges : encodings).map { PictureLayout(format, size, padding: padding, $0) }
            }
        }
    }

    /// Layouts with a colour correction, at a size that reveals errors.
    static let corrected: [PictureLayout] = FourCC.raw.flatMap { format in
        (format.isRGB ? ranges : encodings).filter { $0 != .jfif && (!format.isGrey || $0.range == .limited) }.map {
            PictureLayout(format, FrameSize(width: 96, height: 64), $0)
        }
    }
}

struct JPEGEncoderTests {
    /// Encodes and decodes a picture, and returns its pixels and their reference.
    private func roundTrip(
        _ picture: SamplePicture,
        _ layout: PictureLayout,
        told color: ColorEncoding? = nil
    ) throws -> (rgb: [UInt8], reference: [Double]) {
        let bytes = try #require(GuardedBytes(picture.render(layout))).whole
        var told = layout
        told.color = color ?? layout.color
        var encoder = JPEGEncoder()
        let jpeg = try encoder.encode(bytes.bytes, layout: told, quality: 97)
        var decoder = JPEGDecoder()
        let (size, rgb) = try decoder.decodeRGB(jpeg.rawSpan)
        #expect(size == layout.size)
        return (rgb, picture.reference(isGrey: layout.pixelFormat.isGrey))
    }

    @Test(arguments: Layouts.all)
    func `every layout encodes to its RGB reference`(_ layout: PictureLayout) throws {
        let (rgb, reference) = try roundTrip(.smooth(layout.size), layout)
        #expect(psnr(rgb, against: reference) > 36)
        #expect(meanDifference(rgb, from: reference).allSatisfy { abs($0) < 2.6 })
    }

    @Test(arguments: Layouts.corrected)
    func `ignoring the colour encoding costs at least 6 dB`(_ layout: PictureLayout) throws {
        let picture = SamplePicture.smooth(layout.size)
        let (right, reference) = try roundTrip(picture, layout)
        let (wrong, _) = try roundTrip(picture, layout, told: .jfif)
        #expect(psnr(right, against: reference) > psnr(wrong, against: reference) + 6)
    }

    @Test(arguments: Layouts.corrected + FourCC.raw.map { PictureLayout($0, FrameSize(width: 96, height: 64)) })
    func `black, grey and white have exact levels without a tint`(_ layout: PictureLayout) throws {
        for level in [0.0, 0.5, 1.0] {
            let (rgb, _) = try roundTrip(.flat(layout.size, .grey(level)), layout)
            let expected = Int((level * 255).rounded())
            #expect(rgb.allSatisfy { abs(Int($0) - expected) <= 1 }, "level \(level): \(rgb.prefix(3))")
        }
    }

    @Test(arguments: Layouts.corrected.filter { !$0.pixelFormat.isGrey })
    func `saturated colours keep their hue`(_ layout: PictureLayout) throws {
        let colors = [(0.9, 0.1, 0.1), (0.1, 0.9, 0.1), (0.1, 0.1, 0.9), (0.9, 0.8, 0.1), (0.8, 0.1, 0.9)]
        for (red, green, blue) in colors {
            let picture = SamplePicture.flat(layout.size, SampleColor(red: red, green: green, blue: blue))
            let (rgb, reference) = try roundTrip(picture, layout)
            let isRight = zip(rgb, reference).allSatisfy { abs(Double($0) - $1) <= 4.5 }
            #expect(isRight, "\(rgb.prefix(3)), not \(reference.prefix(3))")
        }
    }

    @Test func `limited luma is stretched to the full range`() throws {
        let size = FrameSize(width: 16, height: 16)
        let color = ColorEncoding(matrix: .bt601, range: .limited)
        let layout = PictureLayout(pixelFormat: .yuyv, size: size, bytesPerRow: 32, color: color)
        for (level, expected) in [(UInt8(16), UInt8(0)), (235, 255), (4, 0), (250, 255)] {
            let bytes = (0..<512).map { $0 % 2 == 0 ? level : 128 }
            let luma = try SampleJPEG.luma(SampleJPEG.encoded(bytes, layout, quality: 100))
            #expect(luma == Array(repeating: expected, count: 256))
        }
    }

    /// Packed picture of constant luma whose rows alternate between two chroma values.
    private func stripes(_ format: FourCC, luma: UInt8, cb: (UInt8, UInt8), cr: UInt8) -> [UInt8] {
        (0..<16).flatMap { row -> [UInt8] in
            let blue = row % 2 == 0 ? cb.0 : cb.1
            let word =
                switch format {
                case .yuyv: [luma, blue, luma, cr]
                case .yvyu: [luma, cr, luma, blue]
                default: [blue, luma, cr, luma]
                }
            return (0..<8).flatMap { _ in word }
        }
    }

    @Test(arguments: [FourCC.yuyv, .yvyu, .uyvy])
    func `packed chroma is averaged over two rows`(_ format: FourCC) throws {
        let size = FrameSize(width: 16, height: 16)
        let layout = PictureLayout(pixelFormat: format, size: size, bytesPerRow: 32, color: .jfif)
        let bytes = stripes(format, luma: 120, cb: (88, 168), cr: 128)
        let rgb = try SampleJPEG.pixels(SampleJPEG.encoded(bytes, layout, quality: 97))
        #expect(rgb.allSatisfy { abs(Int($0) - 120) <= 1 })
    }

    @Test(arguments: [FourCC.yuyv, .yvyu, .uyvy], [ColorEncoding.Range.full, .limited])
    func `the luma of each row is corrected by its own chroma`(_ format: FourCC, _ range: ColorEncoding.Range) throws {
        let size = FrameSize(width: 16, height: 16)
        let color = ColorEncoding(matrix: .bt709, range: range)
        let layout = PictureLayout(pixelFormat: format, size: size, bytesPerRow: 32, color: color)
        let bytes = stripes(format, luma: 120, cb: (40, 216), cr: 140)
        let luma = try SampleJPEG.luma(SampleJPEG.encoded(bytes, layout, quality: 100))
        for (row, cb) in [(0, 40.0), (1, 216), (14, 40), (15, 216)] {
            let expected = exactCorrection(120, cb, 140, color)[0]
            #expect(luma[row * 16..<row * 16 + 16].allSatisfy { abs(Double($0) - expected) < 1.6 })
        }
    }

    @Test func `a reused encoder makes the same pictures as a new one`() throws {
        var generator = SeededGenerator(seed: 7)
        var kept = JPEGEncoder()
        for layout in Layouts.all.shuffled(using: &generator) {
            let bytes = SamplePicture.smooth(layout.size).render(layout)
            let expected = try SampleJPEG.encoded(bytes, layout, quality: 80)
            let same = try kept.encode(bytes.rawSpan, layout: layout, quality: 80)
            #expect(same == expected)
        }
    }

    @Test(arguments: FourCC.raw)
    func `only a buffer shorter than its layout is an error`(_ format: FourCC) throws {
        let layout = PictureLayout(format, FrameSize(width: 20, height: 10), padding: 4)
        let bytes = SamplePicture.smooth(layout.size).render(layout)
        var encoder = JPEGEncoder()
        let short = Array(bytes.dropLast())
        #expect(throws: ImagingError.short(have: bytes.count - 1, need: bytes.count)) {
            try encoder.encode(short.rawSpan, layout: layout, quality: 80)
        }
        #expect(throws: ImagingError.short(have: 0, need: bytes.count)) {
            try SampleJPEG.encoded([], layout, quality: 80)
        }
        let long = bytes + [1, 2, 3]
        let same = try encoder.encode(bytes.rawSpan, layout: layout, quality: 80)
        let other = try encoder.encode(long.rawSpan, layout: layout, quality: 80)
        #expect(other == same)
    }

    @Test(arguments: [FourCC.mjpeg, .jpeg, FourCC(rawValue: 0x3432_5241)])
    func `refuses a format that is not raw`(_ format: FourCC) throws {
        let size = FrameSize(width: 4, height: 4)
        let layout = PictureLayout(pixelFormat: format, size: size, bytesPerRow: 16, color: .jfif)
        let bytes = [UInt8](repeating: 0, count: 64)
        #expect(throws: ImagingError.unsupported(format)) { try SampleJPEG.encoded(bytes, layout, quality: 80) }
    }

    @Test(arguments: [
        (0, 4, 16, 80), (4, 0, 16, 80), (65501, 1, 65501, 80), (-4, 4, 16, 80), (4, 4, 3, 80), (4, 4, -1, 80),
        (4, 4, Int.max, 80), (4, 4, 16, 0), (4, 4, 16, 101),
    ])
    func `refuses invalid sizes, strides and qualities`(width: Int, height: Int, row: Int, quality: Int) throws {
        let size = FrameSize(width: width, height: height)
        let layout = PictureLayout(pixelFormat: .grey, size: size, bytesPerRow: row, color: .jfif)
        let bytes = [UInt8](repeating: 0, count: 128)
        let error = #expect(throws: ImagingError.self) { try SampleJPEG.encoded(bytes, layout, quality: quality) }
        if case .encoder = error { return }
        Issue.record("\(String(describing: error)) is not an error of the request")
    }

    @Test func `a higher quality makes a larger file`() throws {
        let layout = PictureLayout(.yuyv, FrameSize(width: 320, height: 240))
        let bytes = SamplePicture.smooth(layout.size).render(layout)
        let counts = try [1, 30, 60, 80, 95, 100].map { quality in
            try SampleJPEG.encoded(bytes, layout, quality: quality).count
        }
        #expect(counts == counts.sorted() && Set(counts).count == counts.count)
    }
}
