// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Makes JPEG pictures (JFIF, baseline) out of the pixels that cameras deliver.
///
/// It keeps libturbojpeg's handle, made when it is first needed, the scratch planes and the output buffer from picture to
/// picture: about 1.5 bytes a pixel of scratch, and of the output buffer what the largest picture so far needed. One thread
/// at a time uses an encoder, which `mutating` and `~Copyable` see to; it blocks for as long as a picture takes (5 ms for
/// 1280x720) and belongs on the encoding executor.
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

    private var turbo = unsafe TurboHandle(tjInitCompress)
    private var output = ScratchBuffer()
    /// Planes of a picture whose bytes are none.
    private var split = PlanarPicture()
    /// R, G and B of a picture whose range is limited, stretched.
    private var stretched = ScratchBuffer()
    /// Planes before they are turned.
    private var stage = PlanarPicture()

    /// An encoder, which makes nothing yet.
    package init() {}

    /// The picture as JPEG.
    ///
    /// - Parameters:
    ///   - picture: the bytes that the camera filled (`bytesused`); more than the layout needs is ignored.
    ///   - layout: how to read them.
    ///   - quality: 1 to 100, as in the JPEG group's library.
    /// - Returns: the bytes of a whole file, SOI to EOI.
    /// - Throws: ``ImagingError/unsupported(_:)`` for a format that is no raw one of ``FourCC/supported``,
    ///   ``ImagingError/short(have:need:)`` for too few bytes, ``ImagingError/encoder(_:)`` for a size, a row length or
    ///   a quality that cannot be, and when there is no memory.
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
                let full = unsafe fullRange(start, layout)
                return try unsafe compress(rgb: full, order: order, layout: layout, quality: quality)
            }
            let planes = unsafe PlaneSplitter(layout, at: start).planes(arrangement, &split)
            return try unsafe compress(planes, size: layout.size, quality: quality)
        }
    }

    /// The picture as JPEG, with the chroma sampling that it has.
    ///
    /// - Parameters:
    ///   - picture: the planes.
    ///   - quality: 1 to 100, as in the JPEG group's library.
    /// - Returns: the bytes of a whole file, SOI to EOI.
    /// - Throws: ``ImagingError/encoder(_:)`` for a size or a quality that cannot be, and when there is no memory.
    package mutating func encode(_ picture: borrowing PlanarPicture, quality: Int) throws(ImagingError) -> [UInt8] {
        try Self.check(quality: quality)
        return try unsafe compress(picture.source, size: picture.size, quality: quality)
    }

    /// Draws the part of a camera's raw picture that `plan` names, the way round and as large as it says.
    ///
    /// Everything happens in the planes that ``encode(_:layout:quality:)`` would compress: 4:2:0, and of planar pictures
    /// their own. Where a part begins inside the pixels that a chroma sample stands for (at an odd place), luma is that
    /// of the pixels asked for, and chroma the mean of the two samples that they lie between.
    ///
    /// - Parameters:
    ///   - picture: the bytes that the camera filled (`bytesused`); more than the layout needs is ignored.
    ///   - layout: how to read them.
    ///   - plan: what is wanted; its source is the size of the layout.
    ///   - target: becomes the result.
    /// - Throws: as ``encode(_:layout:quality:)``, and ``ImagingError/sizeMismatch(_:expected:)``.
    package mutating func draw(
        _ picture: RawSpan,
        layout: PictureLayout,
        plan: GeometryPlan,
        into target: inout PlanarPicture
    ) throws(ImagingError) {
        let arrangement = try Self.arrangement(of: layout, have: picture.byteCount)
        guard plan.source == layout.size else { throw .sizeMismatch(layout.size, expected: plan.source) }
        defer {
            if case .rgb = arrangement { split.trim() }
            stage.trim()
            stretched.trim()
        }
        try unsafe picture.withUnsafeBytes { bytes throws(ImagingError) in
            guard let start = bytes.baseAddress else { throw .short(have: 0, need: layout.byteCount ?? 0) }
            let planes: PicturePlanes
            if case .rgb(let order) = arrangement {
                try unsafe splitRGB(fullRange(start, layout), order: order, layout: layout)
                unsafe planes = unsafe split.source
            } else {
                unsafe planes = unsafe PlaneSplitter(layout, at: start).planes(arrangement, &split)
            }
            unsafe PlaneDrawing(plan: plan, sampling: planes.sampling).draw(planes, into: &target, stage: &stage)
        }
    }

    private static func check(quality: Int) throws(ImagingError) {
        guard (1...100).contains(quality) else { throw .encoder("quality \(quality) is outside 1 to 100") }
    }

    /// How the samples of a layout lie, once everything holds that the unchecked loops rely on.
    private static func arrangement(of layout: PictureLayout, have: Int) throws(ImagingError) -> PixelArrangement {
        guard let arrangement = PixelArrangement(layout.pixelFormat) else { throw .unsupported(layout.pixelFormat) }
        let sides = 1...longestSide
        guard sides.contains(layout.size.width), sides.contains(layout.size.height) else {
            throw .encoder("\(layout.size) is no size from 1x1 to \(longestSide)x\(longestSide)")
        }
        guard layout.bytesPerRow <= Int(Int32.max),
            layout.planes.allSatisfy({ $0.used <= $0.stride && $0.stride <= Int(Int32.max) })
        else {
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
    private mutating func compress(
        _ planes: PicturePlanes,
        size: FrameSize,
        quality: Int
    ) throws(ImagingError) -> [UInt8] {
        let kind = unsafe planes.sampling
        var starts = unsafe [planes.luma.start, planes.cb.start, planes.cr.start] as [UnsafePointer<UInt8>?]
        let strides = unsafe [Int32(planes.luma.stride), Int32(planes.cb.stride), Int32(planes.cr.stride)]
        return try unsafe file(of: size, kind) { handle, target, count in
            unsafe tjCompressFromYUVPlanes(
                handle,
                &starts,
                Int32(size.width),
                strides,
                Int32(size.height),
                kind.code,
                &target,
                &count,
                Int32(quality),
                Self.flags
            )
        }
    }

    private mutating func compress(
        rgb: UnsafeRawPointer,
        order: TJPF,
        layout: PictureLayout,
        quality: Int
    ) throws(ImagingError) -> [UInt8] {
        try unsafe file(of: layout.size, .quarter) { handle, target, count in
            unsafe tjCompress2(
                handle,
                rgb.assumingMemoryBound(to: UInt8.self),
                Int32(layout.size.width),
                Int32(layout.bytesPerRow),
                Int32(layout.size.height),
                Int32(order.rawValue),
                &target,
                &count,
                ChromaSampling.quarter.code,
                Int32(quality),
                Self.flags
            )
        }
    }

    /// The file that a call of libturbojpeg writes into the output buffer.
    private mutating func file(
        of size: FrameSize,
        _ sampling: ChromaSampling,
        _ compress: (tjhandle, inout UnsafeMutablePointer<UInt8>?, inout UInt) -> Int32
    ) throws(ImagingError) -> [UInt8] {
        let capacity = tjBufSize(Int32(size.width), Int32(size.height), sampling.code)
        let start = unsafe output.reserve(Int(capacity))
        var target: UnsafeMutablePointer<UInt8>? = unsafe start
        var count = capacity
        let status = try unsafe compress(turbo.get(), &target, &count)
        guard status == 0 else { throw .encoder(turbo.giveUp()) }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// R, G and B of the full range: where they lie, or a copy in which 16 to 235 are 0 to 255.
    private mutating func fullRange(_ rgb: UnsafeRawPointer, _ layout: PictureLayout) -> UnsafeRawPointer {
        guard layout.color.range == .limited else { return unsafe rgb }
        let count = layout.bytesPerRow * layout.size.height
        let copy = unsafe stretched.reserve(count)
        unsafe copy.update(from: rgb.assumingMemoryBound(to: UInt8.self), count: count)
        unsafe RowKernels.stretch(copy, by: .luma, count: count)
        return UnsafeRawPointer(copy)
    }

    /// Makes 4:2:0 planes of R, G and B, the same that `tjCompress2` makes.
    private mutating func splitRGB(
        _ rgb: UnsafeRawPointer,
        order: TJPF,
        layout: PictureLayout
    ) throws(ImagingError) {
        split.reset(to: layout.size, .quarter)
        var (planes, strides) = unsafe split.pointers
        let status = try unsafe tjEncodeYUVPlanes(
            turbo.get(),
            rgb.assumingMemoryBound(to: UInt8.self),
            Int32(layout.size.width),
            Int32(layout.bytesPerRow),
            Int32(layout.size.height),
            Int32(order.rawValue),
            &planes,
            &strides,
            split.sampling.code,
            TJFLAG_ACCURATEDCT
        )
        guard status == 0 else { throw .encoder(turbo.giveUp()) }
    }
}

// Reason for unchecked: the handle and the buffers belong to this value alone, which cannot be copied, and libturbojpeg
// ties a handle to no thread.
extension JPEGEncoder: @unchecked Sendable {}
