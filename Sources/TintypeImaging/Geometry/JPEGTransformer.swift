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
    private var made: tjhandle?
    private var cropped = ScratchBuffer()
    private var output = ScratchBuffer()
    /// Planes as they were decoded, and before they are turned.
    var decoded = PlanarPicture()
    /// See ``decoded``.
    var stage = PlanarPicture()

    /// A transformer, which makes nothing yet.
    package init() { unsafe made = nil }

    deinit { if let made = unsafe made { unsafe _ = tjDestroy(made) } }

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
        let handle = try unsafe handle()
        let whole = CropRectangle(size: plan.source, left: 0, top: 0)
        return try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            var source = unsafe UnsafeBufferPointer<UInt8>(
                start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                count: bytes.count
            )
            // Two steps, because in one the crop is that of the turned picture, and its place would have to lie on
            // blocks of the picture as it was.
            if lossless.region != whole {
                unsafe source = unsafe try Self.apply(
                    handle,
                    TJXOP_NONE,
                    crop: lossless.region,
                    size: plan.source,
                    to: source,
                    &cropped,
                    strict
                )
            }
            if !lossless.orientation.isIdentity {
                unsafe source = unsafe try Self.apply(
                    handle,
                    lossless.orientation.operation,
                    crop: nil,
                    size: plan.source,
                    to: source,
                    &output,
                    strict
                )
            }
            defer {
                cropped.trim()
                output.trim()
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

    /// How the picture is coded, where it is of the size that is expected and does not take too much memory.
    static func header(of jpeg: RawSpan, expected: FrameSize) throws(ImagingError) -> JPEGHeader {
        let outline = try JPEGOutline(jpeg)
        let size = outline.header.size
        guard size == expected else { throw .sizeMismatch(size, expected: expected) }
        try outline.checkMemory()
        return outline.header
    }

    /// libturbojpeg's handle.
    mutating func handle() throws(ImagingError) -> tjhandle {
        if let made = unsafe made { return unsafe made }
        guard let handle = unsafe tjInitTransform() else {
            throw .encoder(unsafe String(cString: tjGetErrorStr2(nil)))
        }
        unsafe made = unsafe handle
        return unsafe handle
    }

    /// Whether the last call failed for something that libjpeg could go on after.
    static func isWarning(_ handle: tjhandle) -> Bool {
        unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
    }

    private static func apply(
        _ handle: tjhandle,
        _ operation: TJXOP,
        crop: CropRectangle?,
        size: FrameSize,
        to source: UnsafeBufferPointer<UInt8>,
        _ buffer: inout ScratchBuffer,
        _ strict: Bool
    ) throws(ImagingError) -> UnsafeBufferPointer<UInt8> {
        var transform = unsafe tjtransform()
        unsafe transform.op = Int32(operation.rawValue)
        // What is mirrored was made to end on whole blocks.
        unsafe transform.options = TJXOPT_COPYNONE | TJXOPT_PERFECT
        if let crop {
            unsafe transform.options |= TJXOPT_CROP
            unsafe transform.r = tjregion(
                x: Int32(crop.left),
                y: Int32(crop.top),
                w: Int32(crop.size.width),
                h: Int32(crop.size.height)
            )
        }
        // Its own Huffman tables give way to the standard ones: a code of one bit may become one of eleven, and what was
        // one code for thousands of empty blocks of a progressive picture becomes one for each. What is not written to
        // takes no memory.
        let capacity =
            Int(tjBufSize(Int32(size.width), Int32(size.height), ChromaSampling.full.code)) + 12 * source.count
        var target: UnsafeMutablePointer<UInt8>? = unsafe buffer.reserve(capacity)
        var count = UInt(capacity)
        func run() -> Int32 {
            unsafe tjTransform(
                handle,
                source.baseAddress,
                UInt(source.count),
                1,
                &target,
                &count,
                &transform,
                TJFLAG_NOREALLOC
            )
        }
        var isDone = run() == 0
        if unsafe !isDone && !strict && isWarning(handle), let start = unsafe target {
            // Where it gives up after a warning, that is called a warning, too, and what was in the buffer before would
            // be taken for a picture. Over zeros, what it made tells whether it came to its end.
            unsafe start.update(repeating: 0, count: capacity)
            count = UInt(capacity)
            let status = run()
            let made = unsafe UnsafeRawBufferPointer(start: start, count: min(Int(count), capacity))
            isDone = unsafe (status == 0 || isWarning(handle)) && JPEGHeader.isWhole(made.bytes)
        }
        guard isDone, let target = unsafe target else { throw .notJPEG(unsafe String(cString: tjGetErrorStr2(handle))) }
        return unsafe UnsafeBufferPointer(start: target, count: Int(count))
    }
}

// Reason for unchecked: the handle and the buffers belong to this value alone, which cannot be copied, and libturbojpeg
// ties a handle to no thread.
extension JPEGTransformer: @unchecked Sendable {}
