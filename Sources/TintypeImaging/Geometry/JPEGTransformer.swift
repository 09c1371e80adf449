// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Crops, flips and turns JPEG pictures without decoding them, and decodes them into planes, smaller if so wanted, by
/// libturbojpeg.
///
/// It keeps libturbojpeg's handle, made when it is first needed. One thread at a time uses a transformer; it blocks for
/// as long as a picture takes. A lossless transform has all coefficients of the picture in memory: two bytes a sample,
/// and twice that where it is mirrored or turned.
@safe package struct JPEGTransformer: ~Copyable {
    private var turbo = unsafe TurboHandle(tjInitTransform)
    private var cropped = ScratchBuffer()
    private var output = ScratchBuffer()
    /// Planes as they were decoded.
    private var decoded = PlanarPicture()
    /// Planes before they are turned.
    private var stage = PlanarPicture()

    /// A transformer, which makes nothing yet.
    package init() {}

    /// The picture with its blocks put as `plan` says; its compressed data stays as it is.
    ///
    /// As ``LosslessPlan`` says, the part may be larger than asked by less than a block at each side, and where the
    /// picture itself does not end on whole blocks and that edge is mirrored, smaller by less than a block: the result's
    /// own header tells its size. 4:2:2 turned by a quarter becomes 4:4:0. What the camera put into it beside the
    /// picture (APP and COM segments) is left out.
    ///
    /// - Parameters:
    ///   - jpeg: the picture; bytes after its EOI marker are ignored.
    ///   - plan: what is wanted; its source is the size of this picture.
    ///   - strict: whether a warning of libjpeg (damaged data that it went on after) is an error.
    /// - Returns: a whole file, SOI to EOI, or the picture as it is where nothing has to be done; nil where that cannot be
    ///   done without decoding: it is scaled, or 4:1:1 that is turned by a quarter, or of the part nothing but an
    ///   incomplete block at a mirrored edge is there.
    /// - Throws: ``ImagingError/refused(_:)`` for a progressive picture of more than 16 megapixels,
    ///   ``ImagingError/notJPEG(_:)``, ``ImagingError/truncated``, ``ImagingError/sizeMismatch(_:expected:)``.
    package mutating func transform(
        _ jpeg: RawSpan,
        plan: GeometryPlan,
        strict: Bool = true
    ) throws(ImagingError) -> [UInt8]? {
        let header = try Self.header(of: jpeg, expected: plan.source)
        guard let lossless = LosslessPlan(plan, of: header) else { return nil }
        let whole = CropRectangle(size: plan.source, left: 0, top: 0)
        defer {
            cropped.trim()
            output.trim()
        }
        return try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            var source = unsafe bytes.bindMemory(to: UInt8.self)
            // Two steps, because in one the crop is that of the turned picture, and its place would have to lie on
            // blocks of the picture as it was.
            if lossless.region != whole {
                let crop = unsafe Self.transform(TJXOP_NONE, crop: lossless.region)
                unsafe source = unsafe try Self.apply(crop, to: source, of: plan.source, &turbo, &cropped, strict)
            }
            if !lossless.orientation.isIdentity {
                let turn = unsafe Self.transform(lossless.orientation.operation)
                unsafe source = unsafe try Self.apply(turn, to: source, of: plan.source, &turbo, &output, strict)
            }
            return unsafe Array(source)
        }
    }

    /// The part of a JPEG picture that ``transform(_:plan:strict:)`` gives for `plan`: the one that is asked for only where
    /// its edges lie between blocks.
    ///
    /// Nil where it can give none. Throws as that.
    package static func losslessRegion(
        of jpeg: RawSpan,
        plan: GeometryPlan
    ) throws(ImagingError) -> CropRectangle? {
        LosslessPlan(plan, of: try header(of: jpeg, expected: plan.source))?.region
    }

    /// Draws the part of a JPEG picture that `plan` names, the way round and as large as it says.
    ///
    /// The picture is decoded at the least of 1/8, 1/4, 1/2 and all of its size that has enough pixels, into planes and
    /// never into R, G and B; what remains is an area average. At 1/8 that takes less memory than the picture's own
    /// bytes, for one that libjpeg decodes row by row.
    ///
    /// - Parameters:
    ///   - jpeg: the picture; bytes after its EOI marker are ignored.
    ///   - plan: what is wanted; its source is the size of this picture.
    ///   - strict: whether a warning of libjpeg (damaged data that it went on after) is an error.
    ///   - target: becomes the result, with the chroma sampling of the picture, or of the turned one; 4:1:1 becomes 4:2:0.
    /// - Throws: ``ImagingError/refused(_:)`` for a progressive picture of more than 16 megapixels, of which libjpeg
    ///   would keep all coefficients, and for one that is neither grey nor Y'CbCr; ``ImagingError/notJPEG(_:)`` with
    ///   libjpeg's message, ``ImagingError/truncated``, ``ImagingError/sizeMismatch(_:expected:)``.
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
        let planes = unsafe decoded.source
        let drawing = PlaneDrawing(plan: plan, sampling: sampling, eighths: eighths)
        unsafe drawing.draw(planes, into: &target, stage: &stage)
    }

    /// How the picture is coded, where it is of the size that is expected and does not take too much memory.
    private static func header(of jpeg: RawSpan, expected: FrameSize) throws(ImagingError) -> JPEGHeader {
        let outline = try JPEGOutline(jpeg)
        let size = outline.header.size
        guard size == expected else { throw .sizeMismatch(size, expected: expected) }
        try outline.checkMemory()
        return outline.header
    }

    /// What libturbojpeg is to do.
    private static func transform(_ operation: TJXOP, crop: CropRectangle? = nil) -> tjtransform {
        var transform = unsafe tjtransform()
        unsafe transform.op = Int32(operation.rawValue)
        // What is mirrored was made to end on whole blocks.
        unsafe transform.options = TJXOPT_COPYNONE | TJXOPT_PERFECT | (crop == nil ? 0 : TJXOPT_CROP)
        if let crop {
            let (width, height) = (Int32(crop.size.width), Int32(crop.size.height))
            unsafe transform.r = tjregion(x: Int32(crop.left), y: Int32(crop.top), w: width, h: height)
        }
        return unsafe transform
    }

    private static func apply(
        _ transform: tjtransform,
        to source: UnsafeBufferPointer<UInt8>,
        of size: FrameSize,
        _ turbo: inout TurboHandle,
        _ buffer: inout ScratchBuffer,
        _ strict: Bool
    ) throws(ImagingError) -> UnsafeBufferPointer<UInt8> {
        // Its own Huffman tables give way to the standard ones: a code of one bit may become one of eleven, and what was
        // one code for thousands of empty blocks of a progressive picture becomes one for each. What is not written to
        // takes no memory.
        let capacity =
            Int(tjBufSize(Int32(size.width), Int32(size.height), ChromaSampling.full.code)) + 12 * source.count
        let start = unsafe buffer.reserve(capacity)
        let handle = try unsafe turbo.get()
        func run() -> (status: Int32, made: UnsafeBufferPointer<UInt8>) {
            var transform = unsafe transform
            var target: UnsafeMutablePointer<UInt8>? = unsafe start
            var count = UInt(capacity)
            let (from, length, flags) = (source.baseAddress, UInt(source.count), TJFLAG_NOREALLOC)
            let status = unsafe tjTransform(handle, from, length, 1, &target, &count, &transform, flags)
            return unsafe (status, UnsafeBufferPointer(start: start, count: min(Int(count), capacity)))
        }
        let first = unsafe run()
        guard let warning = try unsafe turbo.warning(of: first.status) else { return unsafe first.made }
        guard !strict else { throw .notJPEG(warning) }
        // Where it gives up after a warning, that is called a warning, too, and what was in the buffer before would be
        // taken for a picture. Over zeros, what it made tells whether it came to its end.
        unsafe start.update(repeating: 0, count: capacity)
        let second = unsafe run()
        _ = try unsafe turbo.warning(of: second.status)
        guard unsafe JPEGHeader.isWhole(UnsafeRawBufferPointer(second.made).bytes) else { throw .notJPEG(warning) }
        return unsafe second.made
    }

    /// Decodes into planes whose size is that of the picture or 1/2, 1/4 or 1/8 of it.
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
            // The planes were laid out by our own reading of the header: libturbojpeg must have read the same.
            guard kind == picture.sampling.code, Int(width) == size.width, Int(height) == size.height else {
                throw .notJPEG("its frame header (SOF) can be read in two ways")
            }
            guard space == Int32(TJCS_YCbCr.rawValue) || space == Int32(TJCS_GRAY.rawValue) else {
                throw .refused(.coding("its colours are not coded as Y'CbCr"))
            }
            // After a warning libjpeg may not have filled all of it, and what was there is another picture.
            if !strict { picture.fill(with: 128) }
            var (planes, strides) = unsafe picture.pointers
            let (columns, rows, flags) = (Int32(picture.size.width), Int32(picture.size.height), TJFLAG_ACCURATEDCT)
            let status = unsafe tjDecompressToYUVPlanes(handle, start, count, &planes, columns, &strides, rows, flags)
            if let warning = try turbo.warning(of: status), strict { throw .notJPEG(warning) }
        }
    }
}

// Reason for unchecked: the handle and the buffers belong to this value alone, which cannot be copied, and libturbojpeg
// ties a handle to no thread.
extension JPEGTransformer: @unchecked Sendable {}

extension Problem {
    fileprivate static func coding(_ what: String) -> Problem {
        Problem(
            .configurationUnsupported,
            "The JPEG picture cannot be scaled or drawn again, because \(what).",
            remedy: "Take the picture as it is, or choose another pixel format of the camera."
        )
    }
}

/// Makes small pictures of stored ones.
package enum JPEGThumbnail {
    /// The picture, no wider than `width`.
    ///
    /// It is decoded at 1/8, 1/4 or 1/2 of its size where that has enough pixels. So a picture of 48 megapixels becomes
    /// one of 320 pixels with a few megabytes beside its own bytes. Damage that libjpeg goes on after is no error.
    ///
    /// Blocks for as long as the picture takes; keeps nothing.
    ///
    /// - Parameters:
    ///   - jpeg: the picture; bytes after its EOI marker are ignored.
    ///   - width: what its width must not exceed, in pixels.
    /// - Returns: a whole file, SOI to EOI, with the proportions of the picture and never larger than it.
    /// - Throws: as ``JPEGTransformer/draw(_:plan:strict:into:)`` and ``JPEGEncoder/encode(_:quality:)``: among them
    ///   ``ImagingError/refused(_:)`` for a progressive picture of more than 16 megapixels.
    package static func make(of jpeg: RawSpan, width: Int) throws(ImagingError) -> [UInt8] {
        let source = try JPEGHeader.read(jpeg).size
        let plan = try GeometryPlan(StillRendering(width: width), of: source)
        var transformer = JPEGTransformer()
        var picture = PlanarPicture()
        try transformer.draw(jpeg, plan: plan, strict: false, into: &picture)
        var encoder = JPEGEncoder()
        return try encoder.encode(picture, quality: 80)
    }
}
