// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Makes JPEG pictures (JFIF, baseline) out of the pixels that cameras deliver.
///
/// It keeps libturbojpeg's handle, the scratch planes and the output buffer from picture to picture: about 1.5 bytes a
/// pixel of scratch, and of the output buffer what the largest picture so far needed. One thread at a time uses an
/// encoder, which `mutating` and `~Copyable` see to; it blocks for as long as a picture takes (5 ms for 1280x720) and
/// belongs on the encoding executor.
///
/// YUV never passes through RGB: planes are split, corrected where their ``ColorEncoding`` is not that of JFIF, and
/// compressed (`tjCompressFromYUVPlanes`).
///
/// The subsampling of the result is decided here, once: planar pictures keep their own (they are compressed where they
/// lie), and everything else in colour becomes 4:2:0, as in the peers and in most cameras' own MJPEG. For packed 4:2:2
/// that averages two rows of chroma; it costs no luma detail and a quarter of the samples to encode.
@safe package struct JPEGEncoder: ~Copyable {
    /// The longest side of a JPEG picture that libturbojpeg makes, in pixels (`JPEG_MAX_DIMENSION`).
    package static let longestSide = 65500

    /// The output buffer always has room for the worst case, and the exact DCT is used: on a processor with AVX2 it is
    /// the faster one too.
    private static let flags = TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT

    let handle: tjhandle
    var scratch = ScratchBuffer()
    private var output = ScratchBuffer()
    /// Planes of R, G and B.
    var split = PlanarPicture()
    /// Planes before they are turned.
    var stage = PlanarPicture()

    /// A new encoder.
    ///
    /// - Throws: ``ImagingError/encoder(_:)`` when there is no memory for one.
    package init() throws(ImagingError) {
        guard let handle = unsafe tjInitCompress() else {
            throw .encoder(unsafe String(cString: tjGetErrorStr2(nil)))
        }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe _ = tjDestroy(handle) }

    /// The picture as JPEG.
    ///
    /// - Parameters:
    ///   - picture: the bytes that the camera filled (`bytesused`); more than the layout needs is ignored.
    ///   - layout: how to read them.
    ///   - quality: 1 to 100, as in the JPEG group's library.
    /// - Returns: the bytes of a whole file, SOI to EOI.
    /// - Throws: ``ImagingError/unsupported(_:)`` for a format that is no raw one of ``FourCC/supported``,
    ///   ``ImagingError/short(have:need:)`` for too few bytes, ``ImagingError/encoder(_:)`` for a size, a row length or
    ///   a quality that cannot be.
    package mutating func encode(
        _ picture: RawSpan,
        layout: PictureLayout,
        quality: Int
    ) throws(ImagingError) -> [UInt8] {
        try Self.check(quality: quality)
        let arrangement = try Self.arrangement(of: layout, have: picture.byteCount)
        return try unsafe picture.withUnsafeBytes { bytes throws(ImagingError) in
            guard let start = bytes.baseAddress else { throw .short(have: 0, need: layout.byteCount ?? 0) }
            if case .rgb(let order) = arrangement {
                return try unsafe compress(rgb: start, order: order, layout: layout, quality: quality)
            }
            let planes = unsafe PlaneSplitter(layout, at: start).planes(arrangement, &scratch)
            return try unsafe compress(planes, size: layout.size, quality: quality)
        }
    }

    static func check(quality: Int) throws(ImagingError) {
        guard (1...100).contains(quality) else { throw .encoder("quality \(quality) is outside 1 to 100") }
    }

    /// How the samples of a layout lie, once everything holds that the unchecked loops rely on.
    static func arrangement(of layout: PictureLayout, have: Int) throws(ImagingError) -> PixelArrangement {
        guard let arrangement = PixelArrangement(layout.pixelFormat) else { throw .unsupported(layout.pixelFormat) }
        let sides = 1...longestSide
        guard sides.contains(layout.size.width), sides.contains(layout.size.height) else {
            throw .encoder("\(layout.size) is no size from 1x1 to \(longestSide)x\(longestSide)")
        }
        guard let shortest = layout.minimumBytesPerRow, (shortest...Int(Int32.max)).contains(layout.bytesPerRow) else {
            throw .encoder("rows of \(layout.bytesPerRow) bytes cannot hold \(layout.size.width) \(layout.pixelFormat)")
        }
        guard let need = layout.byteCount, have >= need else {
            throw .short(have: have, need: layout.byteCount ?? 0)
        }
        return arrangement
    }
}

extension JPEGEncoder {
    /// Compresses planes whose sides are padded to whole chroma samples.
    mutating func compress(
        _ planes: PicturePlanes,
        size: FrameSize,
        quality: Int
    ) throws(ImagingError) -> [UInt8] {
        let kind = unsafe planes.sampling.code
        let capacity = tjBufSize(Int32(size.width), Int32(size.height), kind)
        var target: UnsafeMutablePointer<UInt8>? = unsafe output.reserve(Int(capacity))
        var written = capacity
        let sources = unsafe [planes.luma, planes.cb, planes.cr] as [UnsafePointer<UInt8>?]
        let strides = unsafe [Int32(planes.lumaStride), Int32(planes.chromaStride), Int32(planes.chromaStride)]
        var pointers = unsafe sources
        let status = unsafe tjCompressFromYUVPlanes(
            handle,
            &pointers,
            Int32(size.width),
            strides,
            Int32(size.height),
            kind,
            &target,
            &written,
            Int32(quality),
            Self.flags
        )
        return try unsafe result(status, target, Int(written))
    }

    private mutating func compress(
        rgb: UnsafeRawPointer,
        order: TJPF,
        layout: PictureLayout,
        quality: Int
    ) throws(ImagingError) -> [UInt8] {
        let (width, height) = (Int32(layout.size.width), Int32(layout.size.height))
        let kind = Int32(TJSAMP_420.rawValue)
        let capacity = tjBufSize(width, height, kind)
        var target: UnsafeMutablePointer<UInt8>? = unsafe output.reserve(Int(capacity))
        var written = capacity
        let status = unsafe tjCompress2(
            handle,
            rgb.assumingMemoryBound(to: UInt8.self),
            width,
            Int32(layout.bytesPerRow),
            height,
            Int32(order.rawValue),
            &target,
            &written,
            kind,
            Int32(quality),
            Self.flags
        )
        return try unsafe result(status, target, Int(written))
    }

    private func result(
        _ status: Int32,
        _ target: UnsafeMutablePointer<UInt8>?,
        _ count: Int
    ) throws(ImagingError) -> [UInt8] {
        guard status == 0, let target = unsafe target else {
            throw .encoder(unsafe String(cString: tjGetErrorStr2(handle)))
        }
        return unsafe [UInt8](UnsafeBufferPointer(start: target, count: count))
    }
}

// Reason for unchecked: the handle and the buffers belong to this value alone, which cannot be copied, and libturbojpeg
// ties a handle to no thread.
extension JPEGEncoder: @unchecked Sendable {}
