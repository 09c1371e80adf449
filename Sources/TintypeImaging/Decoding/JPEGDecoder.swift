// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Makes pixels out of JPEG pictures, by libturbojpeg.
///
/// It keeps libturbojpeg's handle from picture to picture. One thread at a time uses a decoder; it blocks for as long
/// as a picture takes.
@safe package struct JPEGDecoder: ~Copyable {
    /// The most pixels that a picture may claim to have: its header alone must not make us allocate gigabytes.
    package static let largestArea = 1 << 28

    let handle: tjhandle

    /// A new decoder.
    ///
    /// - Throws: ``ImagingError/encoder(_:)`` when there is no memory for one.
    package init() throws(ImagingError) {
        guard let handle = unsafe tjInitDecompress() else {
            throw .encoder(unsafe String(cString: tjGetErrorStr2(nil)))
        }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe _ = tjDestroy(handle) }

    /// The luma of a picture, a byte a pixel, rows without padding.
    ///
    /// - Parameters:
    ///   - jpeg: the picture; bytes after its EOI marker are ignored.
    ///   - strict: whether a warning of libjpeg (damaged data that it went on after) is an error.
    /// - Returns: the size, and as many bytes as it has pixels.
    /// - Throws: ``ImagingError/notJPEG(_:)`` with libjpeg's message, ``ImagingError/refused(_:)`` for a progressive picture
    ///   of more than 16 megapixels.
    package mutating func decodeLuma(
        _ jpeg: RawSpan,
        strict: Bool = true
    ) throws(ImagingError) -> (size: FrameSize, luma: [UInt8]) {
        let (size, bytes) = try decode(jpeg, to: TJPF_GRAY, channels: 1, strict: strict)
        return (size, bytes)
    }

    /// The picture as R, G and B, three bytes a pixel, rows without padding.
    ///
    /// - Parameters:
    ///   - jpeg: the picture; bytes after its EOI marker are ignored.
    ///   - strict: whether a warning of libjpeg (damaged data that it went on after) is an error.
    /// - Returns: the size, and three times as many bytes as it has pixels.
    /// - Throws: ``ImagingError/notJPEG(_:)`` with libjpeg's message, ``ImagingError/refused(_:)`` for a progressive picture
    ///   of more than 16 megapixels.
    package mutating func decodeRGB(
        _ jpeg: RawSpan,
        strict: Bool = true
    ) throws(ImagingError) -> (size: FrameSize, rgb: [UInt8]) {
        let (size, bytes) = try decode(jpeg, to: TJPF_RGB, channels: 3, strict: strict)
        return (size, bytes)
    }

    private mutating func decode(
        _ jpeg: RawSpan,
        to format: TJPF,
        channels: Int,
        strict: Bool
    ) throws(ImagingError) -> (FrameSize, [UInt8]) {
        let decoded = try decode(jpeg, to: format, channels: channels)
        if strict, let warning = decoded.warning { throw .notJPEG(warning) }
        return (decoded.size, decoded.pixels)
    }

    /// Decodes a picture as far as it goes.
    ///
    /// - Parameters:
    ///   - jpeg: the picture.
    ///   - format: what its pixels are to be.
    ///   - channels: how many bytes one of them has.
    ///   - isEighth: whether to make an eighth of the columns and rows, rounded up: the mean of each block, which needs no
    ///     transform. No more than 500 passes are read then.
    /// - Returns: the size of what was made, its rows without padding, and what libjpeg warned of; nil where it had no
    ///   complaint.
    /// - Throws: ``ImagingError/notJPEG(_:)`` where it can make no picture at all, and as ``JPEGOutline/checkMemory(of:_:)``.
    mutating func decode(
        _ jpeg: RawSpan,
        to format: TJPF,
        channels: Int,
        isEighth: Bool = false
    ) throws(ImagingError) -> (size: FrameSize, pixels: [UInt8], warning: String?) {
        try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = UInt(bytes.count)
            var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let warning = try warning(
                of: unsafe tjDecompressHeader3(handle, start, count, &width, &height, &subsampling, &colorspace)
            )
            guard width > 0, height > 0 else { throw .notJPEG(message) }
            try JPEGOutline.checkMemory(of: jpeg, FrameSize(width: Int(width), height: Int(height)))
            if isEighth { (width, height) = ((width + 7) / 8, (height + 7) / 8) }
            let size = FrameSize(width: Int(width), height: Int(height))
            // After a warning libjpeg may not have filled all of it; the means are then grey, as libjpeg has what is lost.
            var pixels = [UInt8](repeating: isEighth ? 128 : 0, count: size.area * channels)
            let outcome = unsafe pixels.withUnsafeMutableBufferPointer { target in
                unsafe tjDecompress2(
                    handle,
                    start,
                    count,
                    target.baseAddress,
                    width,
                    0,
                    height,
                    Int32(format.rawValue),
                    isEighth ? TJFLAG_LIMITSCANS : 0
                )
            }
            return try (size, pixels, self.warning(of: outcome) ?? warning)
        }
    }

    /// What libjpeg warned of in a call with this result; nil where it had no complaint.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` where it could not go on.
    private func warning(of result: Int32) throws(ImagingError) -> String? {
        guard result != 0 else { return nil }
        guard unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { throw .notJPEG(message) }
        return message
    }

    private var message: String { unsafe String(cString: tjGetErrorStr2(handle)) }
}

// Reason for unchecked: the handle belongs to this value alone, which cannot be copied, and libturbojpeg ties a handle
// to no thread.
extension JPEGDecoder: @unchecked Sendable {}
