// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Decodes JPEG pictures to pixels with libturbojpeg; not thread-safe, blocks.
///
/// Throws ``ImagingError/notJPEG(_:)`` with libjpeg's message, and ``ImagingError/refused(_:)`` for pictures that take
/// too much memory, such as progressive ones of more than 16 megapixels. Ignores bytes after EOI. Sendable: it owns its
/// handle, and libturbojpeg handles are not bound to a thread.
@safe package struct JPEGDecoder: ~Copyable, @unchecked Sendable {
    /// So that a header alone cannot make us allocate gigabytes.
    package static let largestArea = 1 << 28

    private var turbo = unsafe TurboHandle(tjInitDecompress)

    package init() {}

    package var isMade: Bool { turbo.isMade }

    /// Decodes the luma: one byte per pixel, rows without padding.
    ///
    /// With `strict`, recoverable damage (a warning of libjpeg) is an error. Throws as the type's documentation says,
    /// and ``ImagingError/encoder(_:)`` if out of memory.
    package mutating func decodeLuma(
        _ jpeg: RawSpan,
        strict: Bool = true
    ) throws(ImagingError) -> (size: FrameSize, luma: [UInt8]) {
        let decoded = try decode(jpeg, to: TJPF_GRAY, strict: strict)
        return (decoded.size, decoded.pixels)
    }

    /// Decodes to R, G, B: three bytes per pixel, rows without padding.
    ///
    /// With `strict`, recoverable damage (a warning of libjpeg) is an error. Throws like ``decodeLuma(_:strict:)``.
    package mutating func decodeRGB(
        _ jpeg: RawSpan,
        strict: Bool = true
    ) throws(ImagingError) -> (size: FrameSize, rgb: [UInt8]) {
        let decoded = try decode(jpeg, to: TJPF_RGB, strict: strict)
        return (decoded.size, decoded.pixels)
    }

    /// Decodes at 1/8 size and returns libturbojpeg's warning, if any.
    package mutating func warning(about jpeg: RawSpan) throws(ImagingError) -> String? {
        try decode(jpeg, to: TJPF_GRAY, isEighth: true).warning
    }

    /// Ignores damage that libjpeg recovers from.
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

    /// Decodes as far as possible, and returns libjpeg's warning, if any; throws like ``decodeRGB(_:strict:)``.
    ///
    /// With `isEighth`, columns and rows are scaled by 1/8, rounded up: the DC value of each block, without an inverse
    /// DCT. At most 500 scans are read then (TJFLAG_LIMITSCANS).
    private mutating func decode(
        _ jpeg: RawSpan,
        to format: TJPF,
        isEighth: Bool = false,
        strict: Bool = false
    ) throws(ImagingError) -> (size: FrameSize, pixels: [UInt8], warning: String?) {
        // A new handle: libjpeg keeps the tables of a picture, and decodes the next one that lacks its own with them.
        unsafe turbo = TurboHandle(tjInitDecompress)
        return try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = UInt(bytes.count)
            let handle = try unsafe turbo.get()
            var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let header = unsafe tjDecompressHeader3(handle, start, count, &width, &height, &subsampling, &colorspace)
            var warning = try turbo.warning(of: header)
            guard width > 0, height > 0 else { throw .notJPEG(turbo.giveUp()) }
            try Self.checkMemory(of: jpeg, FrameSize(width: Int(width), height: Int(height)))
            if isEighth { (width, height) = ((width + 7) / 8, (height + 7) / 8) }
            let size = FrameSize(width: Int(width), height: Int(height))
            // A warning may leave part of the buffer unfilled: grey for means, as libjpeg has for lost data.
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
