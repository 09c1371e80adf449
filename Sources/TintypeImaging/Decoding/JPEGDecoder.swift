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
        try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = UInt(bytes.count)
            var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let status = unsafe tjDecompressHeader3(
                handle,
                start,
                count,
                &width,
                &height,
                &subsampling,
                &colorspace
            )
            guard status == 0 || (!strict && isWarning), width > 0, height > 0 else { throw .notJPEG(message) }
            let size = FrameSize(width: Int(width), height: Int(height))
            try Self.checkMemory(of: jpeg, size)
            // Zeroed and not left as it is: after a warning libjpeg may not have filled all of it.
            var pixels = [UInt8](repeating: 0, count: size.area * channels)
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
                    0
                )
            }
            guard outcome == 0 || (!strict && isWarning) else { throw .notJPEG(message) }
            return (size, pixels)
        }
    }

    /// Whether the last call failed for something that libjpeg could go on after.
    var isWarning: Bool { unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) }

    var message: String { unsafe String(cString: tjGetErrorStr2(handle)) }
}

// Reason for unchecked: the handle belongs to this value alone, which cannot be copied, and libturbojpeg ties a handle
// to no thread.
extension JPEGDecoder: @unchecked Sendable {}
