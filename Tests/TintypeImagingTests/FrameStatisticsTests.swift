// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct FrameStatisticsTests {
    private static let size = FrameSize(width: 322, height: 183)
    private static let formats: [FourCC] = [
        .yuyv, .uyvy, .yvyu, .vyuy, .nv12, .nv21, .nv16, .nv61, .yu12, .yv12, .yuv422p, .rgb24, .bgr24, .xrgb32,
        .xbgr32, .rgbx32, .bgrx32, .rgb32, .bgr32,
    ]

    private func layout(_ format: FourCC, _ range: ColorEncoding.Range = .limited, size: FrameSize) -> PictureLayout {
        PictureLayout(format, size, padding: 24, ColorEncoding(matrix: .bt601, range: range))
    }

    private func statistics(_ picture: SamplePicture, _ layout: PictureLayout) throws -> FrameStatistics {
        let bytes = picture.render(layout)
        return try FrameStatistics(bytes.rawSpan, layout: layout)
    }

    private func statistics(_ picture: SamplePicture, quality: Int = 95) throws -> FrameStatistics {
        var inspector = JPEGInspector()
        let jpeg = try jpeg(picture, quality: quality)
        return try inspector.statistics(of: jpeg.rawSpan)
    }

    private func jpeg(_ picture: SamplePicture, quality: Int = 95) throws -> [UInt8] {
        let layout = layout(.rgb24, .full, size: picture.size)
        return try SampleJPEG.encoded(picture.render(layout), layout, quality: quality)
    }

    /// Means of Y, Cb and Cr, computed by definition.
    private func means(_ picture: SamplePicture) -> (Double, Double, Double) {
        var sums = (0.0, 0.0, 0.0)
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let (luma, pb, pr) = picture.color(Double(x), Double(y)).yuv(.bt601)
                sums = (sums.0 + 255 * luma, sums.1 + 128 + 255 * pb, sums.2 + 128 + 255 * pr)
            }
        }
        let area = Double(picture.size.area)
        return (sums.0 / area, sums.1 / area, sums.2 / area)
    }

    @Test(arguments: formats, [ColorEncoding.Range.full, .limited])
    func `computes the mean colours of every raw format and range`(
        _ format: FourCC,
        _ range: ColorEncoding.Range
    ) throws {
        let picture = SamplePicture.smooth(Self.size)
        let found = try statistics(picture, layout(format, range, size: Self.size))
        let expected = means(picture)
        #expect(abs(found.meanLuma - expected.0) < 2 && abs(found.meanCb - expected.1) < 2)
        #expect(abs(found.meanCr - expected.2) < 2, "\(found.meanCr) and \(expected.2)")
        #expect(found.emptiness == BlankCheck(isBlack: false, isUniform: false))
    }

    @Test(arguments: [FourCC.grey, .y10, .y12], [ColorEncoding.Range.full, .limited])
    func `grey formats have neutral chroma`(_ format: FourCC, _ range: ColorEncoding.Range) throws {
        let picture = SamplePicture.smooth(Self.size)
        let grey = try statistics(picture, layout(format, range, size: Self.size))
        #expect(grey.meanCb == 128 && grey.meanCr == 128 && abs(grey.meanLuma - means(picture).0) < 2)
    }

    @Test func `computes the mean colours of a JPEG`() throws {
        let picture = SamplePicture.smooth(Self.size)
        let jpeg = try statistics(picture)
        let expected = means(picture)
        #expect(abs(jpeg.meanLuma - expected.0) < 2 && abs(jpeg.meanCb - expected.1) < 2)
        #expect(abs(jpeg.meanCr - expected.2) < 2)
    }

    @Test(arguments: [1, 2, 3, 5, 16, 17])
    func `computes the statistics of tiny pictures`(_ side: Int) throws {
        let picture = SamplePicture.flat(FrameSize(width: side, height: side), SampleColor(red: 1, green: 0, blue: 0))
        for format in Self.formats + [.grey] {
            let found = try statistics(picture, layout(format, size: picture.size))
            #expect(abs(found.meanLuma - 76) < 3 && found.emptiness.isUniform, "\(format)")
        }
        #expect(abs(try statistics(picture).meanLuma - 76) < 3)
    }

    @Test func `detects black and uniform pictures`() throws {
        let size = Self.size
        // Slightly more than one percent of the picture.
        let lightInTheNight = SamplePicture(size: size) { x, y in .grey(x < 40 && y < 40 ? 1 : 0) }
        // Red and a green of equal luma.
        let twoColors = SamplePicture(size: size) { x, _ in
            x < 160 ? SampleColor(red: 1, green: 0, blue: 0) : SampleColor(red: 0, green: 0.5094, blue: 0)
        }
        for (picture, isBlack, isUniform) in [
            (SamplePicture.flat(size, .grey(0)), true, true), (.flat(size, .grey(0.17)), true, true),
            (.flat(size, .grey(0.2)), false, true), (.flat(size, .init(red: 0.1, green: 0.8, blue: 0.2)), false, true),
            (.smooth(size), false, false), (lightInTheNight, false, false), (twoColors, false, false),
        ] {
            for found in [try statistics(picture), try statistics(picture, layout(.yuyv, size: size))] {
                #expect(found.emptiness == BlankCheck(isBlack: isBlack, isUniform: isUniform))
            }
            var inspector = JPEGInspector()
            let bytes = try jpeg(picture)
            let seen = try inspector.emptiness(of: bytes.rawSpan)
            let isDecoded = inspector.decoder.isMade
            #expect(seen == BlankCheck(isBlack: isBlack, isUniform: isUniform) && !isDecoded)
        }
    }

    @Test(arguments: ChromaSampling.allCases)
    func `statistics of DCT coefficients match those of decoded pixels`(_ sampling: ChromaSampling) throws {
        for size in [Self.size, FrameSize(width: 64, height: 48)] {
            let jpeg = SampleJPEG.sampled(sampling, size)
            var reader = JPEGScanReader()
            var decoder = JPEGDecoder()
            let finding = try reader.read(jpeg.rawSpan)
            #expect(finding == .whole(end: jpeg.count - 2) && reader.isPlain)
            let (read, decoded) = (FrameStatistics(reader.means), try decoder.statistics(of: jpeg.rawSpan))
            #expect(abs(read.meanLuma - decoded.meanLuma) < 0.5, "\(size)")
            #expect(abs(read.meanCb - decoded.meanCb) < 1 && abs(read.meanCr - decoded.meanCr) < 1, "\(size)")
            #expect(abs(read.darkest - decoded.darkest) < 3 && abs(read.brightest - decoded.brightest) < 3, "\(size)")
            #expect(try #require(read.shift(from: decoded)) < 1, "\(size)")
        }
    }

    @Test func `exposure and white balance shift statistics more than a moving object`() throws {
        let picture = SamplePicture.smooth(Self.size)
        let still = try statistics(picture)
        func shift(_ change: @escaping (Double, Double, SampleColor) -> SampleColor) throws -> Double {
            let other = SamplePicture(size: Self.size) { x, y in change(x, y, picture.color(x, y)) }
            return try #require(try statistics(other).shift(from: still))
        }
        #expect(try shift { _, _, color in color } == 0)
        let brighter = try shift { SampleColor(red: $2.red * 1.04, green: $2.green * 1.04, blue: $2.blue * 1.04) }
        #expect(brighter > 2)
        let warmer = try shift { _, _, c in SampleColor(red: c.red, green: c.green, blue: c.blue * 0.95) }
        #expect(warmer > 1.5)
        // A black box in an eighth of the picture.
        let passing = try shift { x, y, c in x > 110 && x < 220 && y > 50 && y < 120 ? .grey(0) : c }
        #expect(passing < 1)
    }

    @Test func `pictures of different sizes have no shift`() throws {
        let still = try statistics(SamplePicture.smooth(Self.size))
        let otherSize = try statistics(SamplePicture.smooth(FrameSize(width: 64, height: 48)))
        #expect(otherSize.shift(from: still) == nil)
    }

    @Test func `an invalid raw buffer is an error`() throws {
        let layout = layout(.nv12, size: Self.size)
        let bytes = [UInt8](repeating: 0, count: (layout.byteCount ?? 0) - 1)
        #expect(throws: ImagingError.short(have: bytes.count, need: bytes.count + 1)) {
            try FrameStatistics(bytes.rawSpan, layout: layout)
        }
        var narrow = layout
        narrow.bytesPerRow = 300
        #expect(throws: ImagingError.self) { try FrameStatistics(bytes.rawSpan, layout: narrow) }
        var mjpeg = layout
        mjpeg.pixelFormat = .mjpeg
        #expect(throws: ImagingError.unsupported(.mjpeg)) { try FrameStatistics(bytes.rawSpan, layout: mjpeg) }
    }

    @Test func `bytes that are not JPEG are an error`() {
        var inspector = JPEGInspector()
        for bytes in [[], [0xFF, 0xD8], Array("no picture at all".utf8)] as [[UInt8]] {
            #expect(throws: ImagingError.self) { try inspector.statistics(of: bytes.rawSpan) }
            #expect(throws: ImagingError.self) { try inspector.emptiness(of: bytes.rawSpan) }
        }
    }

    @Test func `a JPEG without Huffman tables has statistics`() throws {
        let picture = SamplePicture.smooth(Self.size)
        let whole = try statistics(picture, quality: 90)
        var inspector = JPEGInspector()
        let bare = SampleJPEG.withoutTables(try SampleJPEG.baseline(Self.size))
        let found = try inspector.statistics(of: bare.rawSpan)
        #expect(abs(found.meanLuma - whole.meanLuma) < 3)
    }

    @Test func `a truncated JPEG has statistics`() throws {
        var inspector = JPEGInspector()
        let cut = try jpeg(SamplePicture.smooth(Self.size)).dropLast(2000)
        let rest = Array(cut)
        #expect(throws: Never.self) { try inspector.statistics(of: rest.rawSpan) }
    }

    @Test func `reading stops as soon as emptiness is decided`() throws {
        let size = FrameSize(width: 1280, height: 720)
        // Seeded: blocks span 6 or 7 levels of luma; a rare grain makes it 8, which is not uniform.
        var random = SeededGenerator(seed: 1)
        var noise: [Double] = []
        for _ in 0..<4096 { noise.append(Double.random(in: 0...1, using: &random)) }
        func grain(_ x: Double, _ y: Double) -> Double { noise[(Int(x) * 31 + Int(y) * 977) % 4096] }
        let detailed = SamplePicture(size: size) { x, y in .grey(x / 1280 * 0.7 + 0.3 * grain(x, y)) }
        let black = SamplePicture(size: size) { x, y in .grey(0.15 * grain(x, y)) }
        let even = SamplePicture(size: size) { x, y in .grey(0.5 + 0.1 * grain(x, y)) }
        // Content only at the bottom.
        let low = SamplePicture(size: size) { x, y in .grey(y > 600 ? x / 1280 : 0.15 * grain(x, y)) }
        var inspector = JPEGInspector()
        for (name, picture, least, most, emptiness) in [
            ("detailed", detailed, 1, 10, BlankCheck(isBlack: false, isUniform: false)),
            ("black", black, 90, 90, BlankCheck(isBlack: true, isUniform: true)),
            ("even", even, 90, 90, BlankCheck(isBlack: false, isUniform: true)),
            ("low", low, 76, 84, BlankCheck(isBlack: false, isUniform: false)),
        ] {
            let bytes = try jpeg(picture, quality: 90)
            let seen = try inspector.emptiness(of: bytes.rawSpan)
            #expect(seen == emptiness, "\(name)")
            let rows = Int(inspector.reader.means.histogram.total) / 160
            #expect((least...most).contains(rows), "\(name): \(rows) of 90 rows of blocks")
        }
        let isDecoded = inspector.decoder.isMade
        #expect(!isDecoded)
    }

    @Test func `the digest of a JPEG picture ignores the segments before its frame header`() throws {
        let picture = try jpeg(SamplePicture.smooth(Self.size), quality: 90)
        let digest = ByteDigest.ofJPEG(picture.rawSpan)
        // An APP4 segment with the time, as some cameras write it.
        for time in [UInt8(1), 2] {
            let stamped: [UInt8] = picture.prefix(2) + [0xFF, 0xE4, 0, 3, time] + picture.dropFirst(2)
            #expect(ByteDigest.ofJPEG(stamped.rawSpan) == digest && ByteDigest.of(stamped.rawSpan) != digest)
        }
        var other = picture
        other[picture.count - 3] ^= 1
        #expect(ByteDigest.ofJPEG(other.rawSpan) != digest)
        let text = Array("no picture at all".utf8)
        #expect(ByteDigest.ofJPEG(text.rawSpan) == ByteDigest.of(text.rawSpan))
    }

    @Test func `a digest covers every byte and the length`() {
        for count in [0, 1, 7, 31, 32, 33, 64, 1000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
            let digest = ByteDigest.of(bytes.rawSpan)
            #expect(ByteDigest.of(bytes.rawSpan) == digest)
            for index in bytes.indices {
                var other = bytes
                other[index] ^= 1
                #expect(ByteDigest.of(other.rawSpan) != digest)
            }
            let longer = bytes + [0]
            #expect(ByteDigest.of(longer.rawSpan) != digest)
        }
    }
}
