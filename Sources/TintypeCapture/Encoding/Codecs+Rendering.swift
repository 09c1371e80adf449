// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

extension EncodingThreads.Codecs {
    /// Renders a captured picture as a still.
    ///
    /// The camera's own JPEG is passed through if neither geometry nor quality is changed. If it is only cropped,
    /// flipped or rotated and the result is made of whole blocks, it is transformed without recompression. Everything
    /// else is decoded to planes, cropped, flipped, rotated, scaled and compressed with the requested quality.
    ///
    /// Blocks until done, on an encoding thread. The size of the result is that of the JPEG file.
    ///
    /// - Throws: ``ImagingError/refused(_:)`` if the options are impossible for this camera's pictures, and other
    ///   errors if this picture is damaged.
    package mutating func render(_ picture: Frame, as options: EncodingOptions) throws(ImagingError) -> EncodedImage {
        let plan = try GeometryPlan(options.image, of: picture.layout.size)
        let judged = try judge(picture, for: options.integrity)
        var made = EncodedImage(of: picture, by: clock, size: plan.size, verdict: judged.verdict, faults: judged.faults)
        made.camera = picture.ownExif(judged)
        made.emptiness = judged.emptiness
        made.deinterlaced = picture.layout.deinterlaced
        made.signal = picture.layout.signal
        if options.image.overlay == nil, options.part == nil,
            let (jpeg, size) = try undrawn(picture, judged, options, plan)
        {
            (made.jpeg, made.size) = (jpeg, size)
            return made
        }
        try draw(picture, judged, plan: plan, integrity: options.integrity)
        defer { planes.trim() }
        made.size = planes.size
        if let part = options.part {
            // Only the last part yields a picture.
            guard let (verdict, faults) = try part.add(&planes, made.verdict, made.faults) else { return made }
            (made.verdict, made.faults) = (verdict, faults)
        }
        if let text = options.image.overlay {
            let moment = clock.wall(at: (options.part?.stamp ?? picture.stamp).exposureStart)
            try pen.write(text, at: moment, options.style, into: &planes)
        }
        made.jpeg = try encoder.encode(planes, quality: options.quality)
        return made
    }

    /// The still if it needs no drawing of pixels, else nil.
    private mutating func undrawn(
        _ picture: Frame,
        _ judged: JudgedPicture,
        _ options: EncodingOptions,
        _ plan: GeometryPlan
    ) throws(ImagingError) -> (jpeg: [UInt8], size: FrameSize)? {
        guard let own = judged.whole, picture.isCompressed else {
            guard plan.isIdentity else { return nil }
            let jpeg = try withPixels(of: picture, judged) { (bytes, layout, codecs) throws(ImagingError) in
                try codecs.encoder.encode(bytes, layout: layout, quality: options.quality)
            }
            return (jpeg, plan.size)
        }
        let image = options.image
        // A requested quality applies to the file, so it must be recompressed.
        guard image.quality == nil else { return nil }
        guard !plan.isIdentity else { return (picture.withBytes { own.copied(from: $0) }, judged.size) }
        guard image.isLossless != false, !plan.isScaled else { return nil }
        let kept = try picture.withFile(own) { (file) throws(ImagingError) in
            try JPEGTransformer.losslessRegion(of: file, plan: plan)
        }
        guard kept == plan.region else {
            guard image.isLossless == true else { return nil }
            throw .refused(.notOnBlocks(plan.region, nearest: kept))
        }
        let strict = options.integrity == .strict
        let moved = try picture.withFile(own) { (file) throws(ImagingError) in
            try transformer.transform(file, plan: plan, strict: strict)
        }
        guard let moved else { return nil }
        return (moved, try JPEGHeader.read(moved.rawSpan).size)
    }

    /// Decodes a captured picture into ``planes``, cropped, flipped, rotated and scaled.
    mutating func draw(
        _ picture: Frame,
        _ judged: JudgedPicture,
        plan: GeometryPlan,
        integrity: Integrity
    ) throws(ImagingError) {
        guard let own = judged.whole, picture.isCompressed else {
            return try withPixels(of: picture, judged) { (bytes, layout, codecs) throws(ImagingError) in
                try codecs.encoder.draw(bytes, layout: layout, plan: plan, into: &codecs.planes)
            }
        }
        try picture.withFile(own) { (file) throws(ImagingError) in
            try transformer.draw(file, plan: plan, strict: integrity == .strict, into: &planes)
        }
    }
}

extension EncodingOptions {
    /// Maximum size of a short copy in bytes.
    private static let shortCopy = 1 << 19

    /// True if the still is a plain copy of the camera's JPEG picture, without decoding (some 0.2 ms).
    func isShortCopy(of picture: Frame) -> Bool {
        picture.isCompressed && integrity != .strict && part == nil && image == ImageOptions()
            && picture.withBytes { $0.byteCount } <= Self.shortCopy && picture.faults?.covers(.largerSize) != true
    }
}

extension Frame {
    /// True for JPEG pictures that need no conversion (rotation).
    var isCompressed: Bool { layout.pixelFormat.isJPEG && converter == nil }

    /// EXIF data of the camera's own JPEG picture, if any; without the orientation if libv4lconvert rotates it.
    func ownExif(_ judged: JudgedPicture) -> CameraExif? {
        guard let whole = judged.whole else { return nil }
        var own = judged.camera ?? withFile(whole) { CameraExif(in: $0) }
        if converter != nil { own?.orientation = nil }
        return own
    }
}

extension Problem {
    /// Problem of a lossless crop whose edges are not on block boundaries.
    fileprivate static func notOnBlocks(_ region: CropRectangle, nearest: CropRectangle?) -> Problem {
        Problem(
            .configurationUnsupported,
            "The part \(region) of the camera's picture cannot be kept as it is compressed: its edges do not lie between "
                + "blocks.",
            remedy: nearest.map { "Ask for crop \($0), or leave lossless out." } ?? "Leave lossless out.",
            field: "lossless"
        )
    }
}
