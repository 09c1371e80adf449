// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
internal import TintypeModel

/// What a JPEG picture shows, by a decode at an eighth of its size: the mean of each block of 8x8 pixels.
extension JPEGDecoder {
    /// The numbers of a picture; damage that libjpeg can go on after is no matter here.
    ///
    /// Standard Huffman tables may be missing, as in the pictures of many webcams.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` with libjpeg's message, ``ImagingError/refused(_:)`` for a progressive picture
    ///   of more than 16 megapixels.
    package mutating func statistics(of jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        let (size, pixels) = try eighth(of: jpeg)
        return FrameStatistics(Self.sampler(size, pixels, rows: size.height))
    }

    /// Whether the beginning of a picture shows already that it is neither black nor uniform.
    ///
    /// What most pictures show, at a fraction of the cost of ``statistics(of:)``. False means only that it has to be looked
    /// at as a whole.
    package mutating func showsSomething(atBeginningOf jpeg: RawSpan) -> Bool {
        let beginning = max(Self.beginning, jpeg.byteCount / 8)
        guard jpeg.byteCount > 2 * beginning,
            let (size, pixels) = try? eighth(of: jpeg.extracting(first: beginning))
        else { return false }
        // libjpeg fills what is missing with grey, from somewhere in the last row of blocks that it found.
        let rowBytes = size.width * 3
        let last = pixels.lastIndex { $0 != 128 } ?? 0
        let rows = last / rowBytes - Self.tallestBlock
        guard rows > 0 else { return false }
        let histogram = Self.sampler(size, pixels, rows: rows).histogram
        // What a hundredth of the whole picture has is told by a part of it.
        let hundredth = UInt64(size.area / 100)
        guard histogram.count(from: Appearance.darkLuma) > hundredth else { return false }
        return (0...255 - Appearance.evenSpan).contains { luma in
            histogram.count(through: luma) > hundredth
                && histogram.count(from: luma + Appearance.evenSpan) > hundredth
        }
    }

    /// How many bytes of a picture are looked at first, where an eighth of it is not more.
    private static let beginning = 16_384
    /// Rows of an eighth of the size that one row of the largest blocks (32 pixels) has.
    private static let tallestBlock = 4

    private static func sampler(_ size: FrameSize, _ pixels: [UInt8], rows: Int) -> FrameSampler {
        var sampler = FrameSampler(width: size.width, height: size.height)
        for row in 0..<rows {
            for column in 0..<size.width {
                let at = (row * size.width + column) * 3
                sampler.add(column, row, red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
            }
        }
        return sampler
    }

    /// R, G and B at an eighth of the size, rounded up, rows without padding.
    private mutating func eighth(of jpeg: RawSpan) throws(ImagingError) -> (size: FrameSize, pixels: [UInt8]) {
        try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = UInt(bytes.count)
            var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let status = unsafe tjDecompressHeader3(handle, start, count, &width, &height, &subsampling, &colorspace)
            guard status == 0 || isWarning, width > 0, height > 0 else { throw .notJPEG(message) }
            try Self.checkMemory(of: jpeg, FrameSize(width: Int(width), height: Int(height)))
            let (columns, rows) = ((width + 7) / 8, (height + 7) / 8)
            let size = FrameSize(width: Int(columns), height: Int(rows))
            var pixels = [UInt8](repeating: 128, count: size.area * 3)
            let outcome = unsafe pixels.withUnsafeMutableBufferPointer { target in
                unsafe tjDecompress2(
                    handle,
                    start,
                    count,
                    target.baseAddress,
                    columns,
                    0,
                    rows,
                    Int32(TJPF_RGB.rawValue),
                    TJFLAG_LIMITSCANS
                )
            }
            guard outcome == 0 || isWarning else { throw .notJPEG(message) }
            return (size, pixels)
        }
    }
}
