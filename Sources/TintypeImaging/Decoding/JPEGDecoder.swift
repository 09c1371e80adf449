// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Makes pixels out of JPEG pictures, by libturbojpeg.
///
/// It keeps libturbojpeg's handle from picture to picture. One thread at a time uses a decoder; it blocks for as long
/// as a picture takes.
///
/// Each picture is refused that takes too much memory (``ImagingError/refused(_:)``): a progressive one of more than 16
/// megapixels. One that libjpeg makes no picture of is ``ImagingError/notJPEG(_:)`` with libjpeg's message.
@safe package struct JPEGDecoder: ~Copyable {
    /// The most pixels that a picture may claim to have: its header alone must not make us allocate gigabytes.
    package static let largestArea = 1 << 28

    private var turbo = unsafe TurboHandle(tjInitDecompress)

    /// A decoder, which makes nothing yet.
    package init() {}

    /// Whether a picture has needed it.
    package var isMade: Bool { turbo.isMade }

    /// The luma of a picture, a byte a pixel, rows without padding.
    ///
    /// - Parameter jpeg: the picture; bytes after its EOI marker are ignored.
    /// - Returns: the size, and as many bytes as it has pixels.
    /// - Throws: as the decoder's documentation says, also for a warning of libjpeg (damaged data that it went on after), and
    ///   ``ImagingError/encoder(_:)`` when there is no memory for one.
    package mutating func decodeLuma(_ jpeg: RawSpan) throws(ImagingError) -> (size: FrameSize, luma: [UInt8]) {
        let decoded = try decode(jpeg, to: TJPF_GRAY, strict: true)
        return (decoded.size, decoded.pixels)
    }

    /// The picture as R, G and B, three bytes a pixel, rows without padding.
    ///
    /// - Parameters:
    ///   - jpeg: the picture; bytes after its EOI marker are ignored.
    ///   - strict: whether a warning of libjpeg (damaged data that it went on after) is an error.
    /// - Returns: the size, and three times as many bytes as it has pixels.
    /// - Throws: as the decoder's documentation says, and ``ImagingError/encoder(_:)`` when there is no memory for one.
    package mutating func decodeRGB(
        _ jpeg: RawSpan,
        strict: Bool = true
    ) throws(ImagingError) -> (size: FrameSize, rgb: [UInt8]) {
        let decoded = try decode(jpeg, to: TJPF_RGB, strict: strict)
        return (decoded.size, decoded.pixels)
    }

    /// What libturbojpeg warns of when it decodes a whole picture at an eighth of its size; nil where it has no complaint.
    package mutating func warning(about jpeg: RawSpan) throws(ImagingError) -> String? {
        try decode(jpeg, to: TJPF_GRAY, isEighth: true).warning
    }

    /// The numbers of a picture; damage that libjpeg can go on after is no matter here.
    mutating func statistics(of jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        let (size, pixels, _) = try decode(jpeg, to: TJPF_RGB, isEighth: true)
        var sampler = FrameSampler(width: size.width, height: size.height)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let at = (row * size.width + column) * 3
                sampler.add(column, row, red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
            }
        }
        return FrameStatistics(sampler)
    }

    /// Decodes a picture as far as it goes.
    ///
    /// - Parameters:
    ///   - jpeg: the picture.
    ///   - format: what its pixels are to be, a byte or three each.
    ///   - isEighth: whether to make an eighth of the columns and rows, rounded up: the mean of each block, which needs no
    ///     transform. No more than 500 passes are read then.
    ///   - strict: whether a warning of libjpeg is an error.
    /// - Returns: the size of what was made, its rows without padding, and what libjpeg warned of; nil where it had no
    ///   complaint.
    /// - Throws: as ``decodeRGB(_:strict:)``.
    private mutating func decode(
        _ jpeg: RawSpan,
        to format: TJPF,
        isEighth: Bool = false,
        strict: Bool = false
    ) throws(ImagingError) -> (size: FrameSize, pixels: [UInt8], warning: String?) {
        try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = UInt(bytes.count)
            let handle = try unsafe turbo.get()
            var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let header = unsafe tjDecompressHeader3(handle, start, count, &width, &height, &subsampling, &colorspace)
            var warning = try turbo.warning(of: header)
            guard width > 0, height > 0 else { throw .notJPEG(turbo.giveUp()) }
            try JPEGOutline.checkMemory(of: jpeg, FrameSize(width: Int(width), height: Int(height)))
            if isEighth { (width, height) = ((width + 7) / 8, (height + 7) / 8) }
            let size = FrameSize(width: Int(width), height: Int(height))
            // After a warning libjpeg may not have filled all of it; the means are then grey, as libjpeg has what is lost.
            let byteCount = size.area * (format == TJPF_GRAY ? 1 : 3)
            var pixels = [UInt8](repeating: isEighth ? 128 : 0, count: byteCount)
            let (kind, flags) = (Int32(format.rawValue), isEighth ? TJFLAG_LIMITSCANS : 0)
            let status = unsafe tjDecompress2(handle, start, count, &pixels, width, 0, height, kind, flags)
            warning = try turbo.warning(of: status) ?? warning
            if strict, let warning { throw .notJPEG(warning) }
            return (size, pixels, warning)
        }
    }
}

// Reason for unchecked: the handle belongs to this value alone, which cannot be copied, and libturbojpeg ties a handle
// to no thread.
extension JPEGDecoder: @unchecked Sendable {}
