// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
internal import TintypeModel

extension JPEGTransformer {
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
        let handle = try unsafe handle()
        let eighths = plan.eighths
        let size = PlaneDrawing.decodedSize(plan.source, eighths: eighths)
        let isWhole = plan.region.size == plan.source && plan.orientation.isIdentity && size == plan.size
        if isWhole && sampling == sampling.drawn {
            target.reset(to: size, sampling)
            try unsafe Self.decode(jpeg, plan.source, strict, handle, into: target)
            return
        }
        decoded.reset(to: size, sampling)
        defer {
            decoded.trim()
            stage.trim()
        }
        try unsafe Self.decode(jpeg, plan.source, strict, handle, into: decoded)
        let planes = unsafe decoded.source
        unsafe PlaneDrawing(plan, sampling: sampling, eighths: eighths).draw(planes, into: &target, stage: &stage)
    }

    /// Decodes into planes whose size is that of the picture or 1/2, 1/4 or 1/8 of it.
    private static func decode(
        _ jpeg: RawSpan,
        _ size: FrameSize,
        _ strict: Bool,
        _ handle: tjhandle,
        into picture: borrowing PlanarPicture
    ) throws(ImagingError) {
        try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = UInt(bytes.count)
            var (width, height, kind, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let header = unsafe tjDecompressHeader3(handle, start, count, &width, &height, &kind, &space)
            guard unsafe header == 0 || (!strict && isWarning(handle)) else { throw unsafe failure(handle) }
            // The planes were laid out by our own reading of the header: libturbojpeg must have read the same.
            guard kind == picture.sampling.code, Int(width) == size.width, Int(height) == size.height
            else { throw .notJPEG("its frame header (SOF) can be read in two ways") }
            guard space == Int32(TJCS_YCbCr.rawValue) || space == Int32(TJCS_GRAY.rawValue) else {
                throw .refused(.coding("its colours are not coded as Y'CbCr"))
            }
            var planes: [UnsafeMutablePointer<UInt8>?] = unsafe [nil, nil, nil]
            var strides: [Int32] = [0, 0, 0]
            for index in 0..<picture.planeCount {
                let plane = unsafe picture.plane(index)
                unsafe planes[index] = unsafe plane.start
                strides[index] = unsafe Int32(plane.stride)
                // After a warning libjpeg may not have filled all of it, and what was there is another picture.
                if !strict { unsafe plane.start.update(repeating: 128, count: plane.stride * plane.height) }
            }
            let outcome = unsafe tjDecompressToYUVPlanes(
                handle,
                start,
                count,
                &planes,
                Int32(picture.size.width),
                &strides,
                Int32(picture.size.height),
                TJFLAG_ACCURATEDCT
            )
            guard unsafe outcome == 0 || (!strict && isWarning(handle)) else { throw unsafe failure(handle) }
        }
    }

    private static func failure(_ handle: tjhandle) -> ImagingError {
        .notJPEG(unsafe String(cString: tjGetErrorStr2(handle)))
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
