// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Encodes camera pixels as baseline JPEG (JFIF); not thread-safe, blocks (5 ms for 1280x720).
///
/// YUV never passes through RGB: planes are split, corrected if their ``ColorEncoding`` differs from JFIF, and
/// compressed. Planar pictures keep their subsampling; other colour formats become 4:2:0, like the MJPEG of most
/// cameras. Sendable: it owns its handle, and libturbojpeg handles are not bound to a thread.
@safe package struct JPEGEncoder: ~Copyable, @unchecked Sendable {
    /// In pixels (`JPEG_MAX_DIMENSION`).
    package static let longestSide = 65500

    /// The output buffer has room for the worst case; the accurate DCT is also the faster one with AVX2.
    private static let flags = TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT

    private var turbo = unsafe TurboHandle(tjInitCompress)
    private var output = ScratchBuffer()
    /// Planes of pictures that cannot be compressed in place.
    private var split = PlanarPicture()
    /// Copy of R, G, B stretched from limited to full range.
    private var stretched = ScratchBuffer()
    /// Planes before their axes are swapped.
    private var stage = PlanarPicture()
    /// Copy of planes with the cells of a mask blacked.
    private var masked = PlanarPicture()
    private var masks = MaskCache()

    package init() {}

    /// Encodes a picture, the buffer up to `bytesused`; `quality` is 1 to 100, the IJG scale.
    ///
    /// Throws ``ImagingError/unsupported(_:)`` if the format is not a raw one of ``FourCC/supported``,
    /// ``ImagingError/short(have:need:)`` for a short buffer, ``ImagingError/encoder(_:)`` for an invalid size, row
    /// length or quality, or if out of memory.
    package mutating func encode(_ data: RawSpan, layout: PictureLayout, quality: Int) throws(ImagingError) -> [UInt8] {
        try Self.check(quality: quality)
        let arrangement = try Self.arrangement(of: layout, have: data.byteCount)
        return try unsafe data.withUnsafeBytes { bytes throws(ImagingError) in
            guard let start = bytes.baseAddress else { throw .short(have: 0, need: layout.byteCount ?? 0) }
            if case .rgb(let order) = arrangement {
                let full = unsafe fullRange(start, layout)
                return try unsafe compress(rgb: full, order: order, layout: layout, quality: quality)
            }
            let planes = unsafe PlaneSplitter(layout, at: start).planes(arrangement, &split)
            return try unsafe compress(planes, size: layout.size, quality: quality)
        }
    }

    /// Encodes planes, keeping their chroma sampling; `quality` and errors as in ``encode(_:layout:quality:)``.
    package mutating func encode(_ picture: borrowing PlanarPicture, quality: Int) throws(ImagingError) -> [UInt8] {
        try Self.check(quality: quality)
        return try unsafe compress(picture.source, size: picture.size, quality: quality)
    }

    /// Crops, orients and scales a raw picture, the buffer up to `bytesused`, of the size of the plan's source; blacks
    /// the cells of 16x16 pixels that the mask of `look` touches.
    ///
    /// Works on the planes that ``encode(_:layout:quality:)`` would compress. Throws also
    /// ``ImagingError/sizeMismatch(_:expected:)``.
    package mutating func draw(
        _ picture: RawSpan,
        layout: PictureLayout,
        plan: GeometryPlan,
        masking look: CameraLook? = nil,
        into target: inout PlanarPicture
    ) throws(ImagingError) {
        let arrangement = try Self.arrangement(of: layout, have: picture.byteCount)
        guard plan.source == layout.size else { throw .sizeMismatch(layout.size, expected: plan.source) }
        defer {
            if case .rgb = arrangement { split.trim() }
            masked.trim()
            stage.trim()
            stretched.trim()
        }
        try unsafe picture.withUnsafeBytes { bytes throws(ImagingError) in
            guard let start = bytes.baseAddress else { throw .short(have: 0, need: layout.byteCount ?? 0) }
            var planes: PicturePlanes
            if case .rgb(let order) = arrangement {
                try unsafe splitRGB(fullRange(start, layout), order: order, layout: layout)
                unsafe planes = unsafe split.source
            } else {
                unsafe planes = unsafe PlaneSplitter(layout, at: start).planes(arrangement, &split)
            }
            if let look, look.isMasked {
                // Before scaling, which would mix pixels from under the mask into those beside it.
                masked.reset(to: layout.size, unsafe planes.sampling)
                unsafe masked.copy(planes)
                let mask = masks.grid(look, of: layout.size, cell: MaskGrid.cell, margin: MaskGrid.margin)
                masked.black(mask)
                unsafe planes = unsafe masked.source
            }
            unsafe PlaneDrawing(plan: plan, sampling: planes.sampling).draw(planes, into: &target, stage: &stage)
        }
    }

    private static func check(quality: Int) throws(ImagingError) {
        guard (1...100).contains(quality) else { throw .encoder("quality \(quality) is outside 1 to 100") }
    }

    /// Checks everything the unchecked loops rely on.
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
        guard let need = layout.byteCount, have >= need else { throw .short(have: have, need: layout.byteCount ?? 0) }
        return arrangement
    }

    /// The planes are padded to whole chroma samples.
    private mutating func compress(
        _ planes: PicturePlanes,
        size: FrameSize,
        quality: Int
    ) throws(ImagingError) -> [UInt8] {
        let (width, rows, kind) = unsafe (Int32(size.width), Int32(size.height), planes.sampling)
        let (code, quality, flags) = (kind.code, Int32(quality), Self.flags)
        var starts = unsafe [planes.luma.start, planes.cb.start, planes.cr.start] as [UnsafePointer<UInt8>?]
        let strides = unsafe [Int32(planes.luma.stride), Int32(planes.cb.stride), Int32(planes.cr.stride)]
        return try unsafe file(of: size, kind) { handle, target, count in
            unsafe tjCompressFromYUVPlanes(handle, &starts, width, strides, rows, code, &target, &count, quality, flags)
        }
    }

    private mutating func compress(
        rgb: UnsafeRawPointer,
        order: TJPF,
        layout: PictureLayout,
        quality: Int
    ) throws(ImagingError) -> [UInt8] {
        let start = unsafe rgb.assumingMemoryBound(to: UInt8.self)
        let (width, row) = (Int32(layout.size.width), Int32(layout.bytesPerRow))
        let (height, order) = (Int32(layout.size.height), Int32(order.rawValue))
        let (code, quality, flags) = (ChromaSampling.quarter.code, Int32(quality), Self.flags)
        return try unsafe file(of: layout.size, .quarter) { handle, target, count in
            unsafe tjCompress2(handle, start, width, row, height, order, &target, &count, code, quality, flags)
        }
    }

    /// Result of `compress`, in the output buffer.
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

    /// The source itself, or a copy with 16...235 stretched to 0...255.
    private mutating func fullRange(_ rgb: UnsafeRawPointer, _ layout: PictureLayout) -> UnsafeRawPointer {
        guard layout.color.range == .limited else { return unsafe rgb }
        let count = layout.bytesPerRow * layout.size.height
        let copy = unsafe stretched.reserve(count)
        unsafe copy.update(from: rgb.assumingMemoryBound(to: UInt8.self), count: count)
        unsafe RowKernels.stretch(copy, by: .luma, count: count)
        return UnsafeRawPointer(copy)
    }

    /// The 4:2:0 planes that `tjCompress2` would make.
    private mutating func splitRGB(_ rgb: UnsafeRawPointer, order: TJPF, layout: PictureLayout) throws(ImagingError) {
        split.reset(to: layout.size, .quarter)
        var (planes, strides) = unsafe split.pointers
        let (start, handle) = try unsafe (rgb.assumingMemoryBound(to: UInt8.self), turbo.get())
        let (width, row, height) = (Int32(layout.size.width), Int32(layout.bytesPerRow), Int32(layout.size.height))
        let (order, code, flags) = (Int32(order.rawValue), split.sampling.code, TJFLAG_ACCURATEDCT)
        let status = unsafe tjEncodeYUVPlanes(handle, start, width, row, height, order, &planes, &strides, code, flags)
        guard status == 0 else { throw .encoder(turbo.giveUp()) }
    }
}
