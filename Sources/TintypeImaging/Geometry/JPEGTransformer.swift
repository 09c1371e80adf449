// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Crops, flips and turns JPEG pictures losslessly, and decodes them to planes at full or reduced size (libturbojpeg).
///
/// Not thread-safe; blocks. A lossless transform keeps all coefficients in memory: two bytes per sample, twice that if
/// mirrored or turned. Sendable: it owns its handle, and libturbojpeg handles are not bound to a thread.
@safe package struct JPEGTransformer: ~Copyable, @unchecked Sendable {
    private var turbo = unsafe TurboHandle(tjInitTransform)
    private var cropped = ScratchBuffer()
    private var output = ScratchBuffer()
    private var decoded = PlanarPicture()
    /// Planes before their axes are swapped.
    private var stage = PlanarPicture()
    private var masks = MaskCache()

    package init() {}

    /// Transforms a picture losslessly and blacks the MCUs that the mask of `look` touches; nil if decoding is required
    /// (``LosslessPlan``).
    ///
    /// The result may be larger than requested by less than a block per side, or smaller by less than a block at a
    /// mirrored edge that is not on a block boundary; its header has the actual size. 4:2:2 turned by 90 degrees
    /// becomes 4:4:0. APP and COM segments are dropped, bytes after EOI ignored. The source of `plan` must have the
    /// size of this picture. With `strict`, recoverable damage (a warning of libjpeg) is an error.
    ///
    /// Throws ``ImagingError/refused(_:)`` for a progressive picture of more than 16 megapixels,
    /// ``ImagingError/notJPEG(_:)``, ``ImagingError/truncated``, ``ImagingError/sizeMismatch(_:expected:)``.
    package mutating func transform(
        _ jpeg: RawSpan,
        plan: GeometryPlan,
        masking look: CameraLook? = nil,
        strict: Bool = true
    ) throws(ImagingError) -> [UInt8]? {
        let header = try Self.header(of: jpeg, expected: plan.source)
        guard let lossless = LosslessPlan(plan, of: header) else { return nil }
        var mask: BlockMask?
        if let look, look.isMasked {
            mask = try BlockMask(masks.grid(look, of: header.size, cell: header.unit), of: header, in: jpeg)
        }
        defer {
            cropped.trim()
            output.trim()
        }
        return try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            var source = unsafe bytes.bindMemory(to: UInt8.self)
            // Two steps: in one, the crop refers to the turned picture and must begin on its block boundaries.
            // The mask is applied by the first step, to its result.
            if lossless.region.size != plan.source {
                let crop = unsafe Self.transform(TJXOP_NONE, crop: lossless.region)
                let mask = mask.take()?.cropped(to: lossless.region)
                unsafe source = unsafe try Self.apply(crop, mask, to: source, of: plan.source, &turbo, &cropped, strict)
            }
            if mask != nil || !lossless.orientation.isIdentity {
                let turn = unsafe Self.transform(lossless.orientation.operation)
                let mask = mask?.oriented(by: lossless.orientation)
                unsafe source = unsafe try Self.apply(turn, mask, to: source, of: plan.source, &turbo, &output, strict)
            }
            return unsafe Array(source)
        }
    }

    /// Region of ``transform(_:plan:strict:)``, the requested one only if its edges are on block boundaries.
    ///
    /// Nil and errors as in that method.
    package static func losslessRegion(of jpeg: RawSpan, plan: GeometryPlan) throws(ImagingError) -> CropRectangle? {
        LosslessPlan(plan, of: try header(of: jpeg, expected: plan.source))?.region
    }

    /// Crops, orients and scales a JPEG into planes according to `plan`.
    ///
    /// Decodes at the smallest of 1/8, 1/4, 1/2 and full size with enough pixels, directly to YUV; an area average does
    /// the rest. The result has the chroma sampling of the (turned) picture; 4:1:1 becomes 4:2:0.
    ///
    /// Arguments and errors as in ``transform(_:plan:strict:)``; colours other than grey and Y'CbCr are refused, too.
    package mutating func draw(
        _ jpeg: RawSpan,
        plan: GeometryPlan,
        strict: Bool = true,
        into target: inout PlanarPicture
    ) throws(ImagingError) {
        let header = try Self.header(of: jpeg, expected: plan.source)
        guard let sampling = header.sampling else { throw .refused(.coding("its chroma is sampled in a rare way")) }
        let eighths = plan.eighths
        let size = PlaneDrawing.decodedSize(plan.source, eighths: eighths)
        let isWhole = plan.region.size == plan.source && plan.orientation.isIdentity && size == plan.size
        if isWhole && sampling == sampling.drawn {
            target.reset(to: size, sampling)
            return try Self.decode(jpeg, of: plan.source, into: target, &turbo, strict)
        }
        decoded.reset(to: size, sampling)
        defer {
            decoded.trim()
            stage.trim()
        }
        try Self.decode(jpeg, of: plan.source, into: decoded, &turbo, strict)
        let drawing = PlaneDrawing(plan: plan, sampling: sampling, eighths: eighths)
        unsafe drawing.draw(decoded.source, into: &target, stage: &stage)
    }

    /// Checks size and memory requirement.
    private static func header(of jpeg: RawSpan, expected: FrameSize) throws(ImagingError) -> JPEGHeader {
        let header = try JPEGDecoder.checkedHeader(of: jpeg)
        guard header.size == expected else { throw .sizeMismatch(header.size, expected: expected) }
        return header
    }

    private static func transform(_ operation: TJXOP, crop: CropRectangle? = nil) -> tjtransform {
        var transform = unsafe tjtransform()
        unsafe transform.op = Int32(operation.rawValue)
        // Mirrored edges are on block boundaries already (``LosslessPlan``).
        unsafe transform.options = TJXOPT_COPYNONE | TJXOPT_PERFECT | (crop == nil ? 0 : TJXOPT_CROP)
        if let crop {
            let (width, height) = (Int32(crop.size.width), Int32(crop.size.height))
            unsafe transform.r = tjregion(x: Int32(crop.left), y: Int32(crop.top), w: width, h: height)
        }
        return unsafe transform
    }

    private static func apply(
        _ transform: tjtransform,
        _ mask: BlockMask?,
        to source: UnsafeBufferPointer<UInt8>,
        of size: FrameSize,
        _ turbo: inout TurboHandle,
        _ buffer: inout ScratchBuffer,
        _ strict: Bool
    ) throws(ImagingError) -> UnsafeBufferPointer<UInt8> {
        // libjpeg replaces optimised Huffman tables by the standard ones: a code of one bit may grow to eleven, and one
        // code for thousands of empty blocks (progressive) becomes one per block. Untouched pages take no memory.
        let capacity =
            Int(tjBufSize(Int32(size.width), Int32(size.height), ChromaSampling.full.code)) + 12 * source.count
        let start = unsafe buffer.reserve(capacity)
        let handle = try unsafe turbo.get()
        func run() -> (status: Int32, made: UnsafeBufferPointer<UInt8>) {
            var transform = unsafe transform
            if let mask { unsafe mask.install(in: &transform) }
            var target: UnsafeMutablePointer<UInt8>? = unsafe start
            var count = UInt(capacity)
            let (from, length, flags) = (source.baseAddress, UInt(source.count), TJFLAG_NOREALLOC)
            let status = unsafe tjTransform(handle, from, length, 1, &target, &count, &transform, flags)
            withExtendedLifetime(mask) {}
            return unsafe (status, UnsafeBufferPointer(start: start, count: min(Int(count), capacity)))
        }
        let first = unsafe run()
        guard let warning = try unsafe turbo.warning(of: first.status) else { return unsafe first.made }
        guard !strict else { throw .notJPEG(warning) }
        // libturbojpeg also reports a warning if it gave up after one, and old buffer content would pass for a picture.
        // On a zeroed buffer the result shows whether it reached EOI.
        unsafe start.update(repeating: 0, count: capacity)
        let second = unsafe run()
        _ = try unsafe turbo.warning(of: second.status)
        guard unsafe JPEGHeader.isWhole(UnsafeRawBufferPointer(second.made).bytes) else { throw .notJPEG(warning) }
        return unsafe second.made
    }

    /// At 1/1, 1/2, 1/4 or 1/8 of the picture's size, that of the planes.
    private static func decode(
        _ jpeg: RawSpan,
        of size: FrameSize,
        into picture: borrowing PlanarPicture,
        _ turbo: inout TurboHandle,
        _ strict: Bool
    ) throws(ImagingError) {
        try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = UInt(bytes.count)
            let handle = try unsafe turbo.get()
            var (width, height, kind, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let header = unsafe tjDecompressHeader3(handle, start, count, &width, &height, &kind, &space)
            if let warning = try turbo.warning(of: header), strict { throw .notJPEG(warning) }
            // The planes were laid out by our own header parser; libturbojpeg must agree with it.
            guard kind == picture.sampling.code, Int(width) == size.width, Int(height) == size.height else {
                throw .notJPEG("its frame header (SOF) can be read in two ways")
            }
            guard space == Int32(TJCS_YCbCr.rawValue) || space == Int32(TJCS_GRAY.rawValue) else {
                throw .refused(.coding("its colours are not coded as Y'CbCr"))
            }
            // After a warning libjpeg may leave part of the planes unfilled, with data of the previous picture.
            if !strict { picture.fill(with: 128) }
            var (planes, strides) = unsafe picture.pointers
            let (columns, rows, flags) = (Int32(picture.size.width), Int32(picture.size.height), TJFLAG_ACCURATEDCT)
            let status = unsafe tjDecompressToYUVPlanes(handle, start, count, &planes, columns, &strides, rows, flags)
            if let warning = try turbo.warning(of: status), strict { throw .notJPEG(warning) }
        }
    }
}

extension Problem {
    fileprivate static func coding(_ what: String) -> Problem {
        Problem(
            .configurationUnsupported,
            "The JPEG picture cannot be scaled or drawn again, because \(what).",
            remedy: "Take the picture as it is, or choose another pixel format of the camera."
        )
    }
}

/// Blacks the coefficients of a mask's cells during a lossless transform: its `customFilter` (turbojpeg.h).
private final class BlockMask {
    private let grid: MaskGrid
    /// Blocks per cell of each component, across and down.
    private let blocks: [(across: Int, down: Int)]
    /// Quantised DC coefficient of a black block: 8 times the level shift, rounded away from zero.
    private let black: Int16

    init(_ grid: MaskGrid, _ blocks: [(across: Int, down: Int)], black: Int16) {
        (self.grid, self.blocks, self.black) = (grid, blocks, black)
    }

    /// The mask of a whole picture, `jpeg`.
    convenience init(_ grid: MaskGrid, of header: JPEGHeader, in jpeg: RawSpan) throws(ImagingError) {
        // A single component is not interleaved: its cells are blocks.
        let blocks = header.components.map { header.componentCount > 1 ? ($0.horizontal, $0.vertical) : (1, 1) }
        let step = max(1, try JPEGQuantization.firstStep(of: header.components[0].quantization, in: jpeg))
        self.init(grid, blocks, black: -Int16((1024 + step - 1) / step))
    }

    func cropped(to region: CropRectangle) -> BlockMask {
        // 8 pixels per block of luma, which has the most.
        let (left, top) = (region.left / 8 / blocks[0].across, region.top / 8 / blocks[0].down)
        return BlockMask(grid.cropped(columns: left, rows: top), blocks, black: black)
    }

    func oriented(by orientation: PictureOrientation) -> BlockMask {
        let turned = orientation.swapsAxes ? blocks.map { (across: $0.down, down: $0.across) } : blocks
        return BlockMask(grid.oriented(by: orientation), turned, black: black)
    }

    /// `transform` must not be used after the end of this object.
    func install(in transform: inout tjtransform) {
        unsafe transform.data = Unmanaged.passUnretained(self).toOpaque()
        unsafe transform.customFilter = { coefficients, row, _, component, _, transform in
            guard let coefficients = unsafe coefficients, let data = unsafe transform?.pointee.data else { return -1 }
            unsafe Unmanaged<BlockMask>.fromOpaque(data).takeUnretainedValue().black(coefficients, row, Int(component))
            return 0
        }
    }

    /// Blacks a row of blocks.
    private func black(_ coefficients: UnsafeMutablePointer<Int16>, _ row: tjregion, _ component: Int) {
        let (across, down) = blocks[component]
        for block in 0..<Int(row.w) / 8 where grid[(Int(row.x) / 8 + block) / across, Int(row.y) / 8 / down] {
            let start = unsafe coefficients + 64 * block
            unsafe start.update(repeating: 0, count: 64)
            // Zero chroma is grey.
            if component == 0 { unsafe start.pointee = black }
        }
    }
}

package enum JPEGThumbnail {
    /// Scales a picture down to at most `width` pixels wide, never up; blocks.
    ///
    /// Decodes at a reduced size: a 48-megapixel picture takes a few megabytes in addition to its own bytes. Damage
    /// that libjpeg recovers from, and bytes after EOI, are ignored. Throws like
    /// ``JPEGTransformer/draw(_:plan:strict:into:)`` and ``JPEGEncoder/encode(_:quality:)``.
    package static func make(of jpeg: RawSpan, width: Int) throws(ImagingError) -> [UInt8] {
        let source = try JPEGHeader.read(jpeg).size
        let plan = try GeometryPlan(ImageOptions(width: width), of: source)
        var transformer = JPEGTransformer()
        var picture = PlanarPicture()
        try transformer.draw(jpeg, plan: plan, strict: false, into: &picture)
        var encoder = JPEGEncoder()
        return try encoder.encode(picture, quality: 80)
    }
}
