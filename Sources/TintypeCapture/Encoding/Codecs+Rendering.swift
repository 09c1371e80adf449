// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeImaging
package import TintypeModel
internal import TintypeSystem

extension EncodingThreads.Codecs {
    /// Renders a captured picture as a still: the camera's own JPEG unchanged, or cropped, turned and masked without
    /// recompression if whole blocks permit; everything else is decoded, drawn and compressed.
    ///
    /// Throws ``ImagingError/refused(_:)`` if the options are impossible for this camera's pictures.
    package mutating func render(_ picture: Frame, as options: EncodingOptions) throws(ImagingError) -> EncodedImage {
        let plan = try GeometryPlan(options.image, options.look, of: picture.layout.size)
        let isJPEG = picture.layout.pixelFormat.isJPEG
        if options.isMasked {
            guard options.integrity == .strict else { throw .refused(.unjudgedOfMasked) }
            guard !isJPEG || picture.isCompressed else { throw .refused(.convertedOfMasked) }
        }
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
            made.isRecompressed = isJPEG && !picture.isCompressed
            return made
        }
        try draw(picture, judged, plan: plan, options)
        defer { planes.trim() }
        made.size = planes.size
        made.isRecompressed = isJPEG
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
            guard plan.isIdentity, !options.isMasked else { return nil }
            let jpeg = try withPixels(of: picture, judged) { (bytes, layout, codecs) throws(ImagingError) in
                try codecs.encoder.encode(bytes, layout: layout, quality: options.quality)
            }
            return (jpeg, plan.size)
        }
        let image = options.image
        // A requested quality applies to the file, so it must be recompressed.
        guard image.quality == nil else { return nil }
        guard !plan.isIdentity || options.isMasked else {
            return (picture.withBytes { own.copied(from: $0) }, judged.size)
        }
        guard image.isLossless != false, !plan.isScaled else { return nil }
        let kept = try picture.withFile(own) { (file) throws(ImagingError) in
            try JPEGTransformer.losslessRegion(of: file, plan: plan)
        }
        guard kept == plan.region else {
            guard image.isLossless == true else { return nil }
            throw .refused(.notOnBlocks(plan.region, nearest: options.look == nil ? kept : nil))
        }
        let strict = options.integrity == .strict
        let moved = try picture.withFile(own) { (file) throws(ImagingError) in
            try transformer.transform(file, plan: plan, masking: options.look, strict: strict)
        }
        guard let moved else { return nil }
        return (moved, try JPEGHeader.read(moved.rawSpan).size)
    }

    mutating func draw(
        _ picture: Frame,
        _ judged: JudgedPicture,
        plan: GeometryPlan,
        _ options: EncodingOptions
    ) throws(ImagingError) {
        guard var own = judged.whole, picture.isCompressed else {
            return try withPixels(of: picture, judged) { (bytes, layout, codecs) throws(ImagingError) in
                let look = options.look
                try codecs.encoder.draw(bytes, layout: layout, plan: plan, masking: look, into: &codecs.planes)
            }
        }
        let strict = options.integrity == .strict
        if let look = options.look, look.isMasked {
            let whole = try GeometryPlan(ImageOptions(), of: plan.source)
            let masked = try picture.withFile(own) { (file) throws(ImagingError) in
                try transformer.transform(file, plan: whole, masking: look, strict: strict)
            }
            guard let masked else { throw .refused(.convertedOfMasked) }
            own = .mended(masked)
        }
        try picture.withFile(own) { (file) throws(ImagingError) in
            try transformer.draw(file, plan: plan, strict: strict, into: &planes)
        }
    }

    /// `strict` rejects any fault but a learned one of this camera that is repaired, `tolerant` any but a learned one,
    /// `raw` only a picture without bytes.
    ///
    /// Throws the fault, ``ImagingError/refused(_:)`` if decoding takes too much memory.
    package mutating func judge(_ picture: Frame, for integrity: Integrity) throws(ImagingError) -> JudgedPicture {
        guard picture.layout.pixelFormat.isJPEG else { return try Self.judgePixels(of: picture, for: integrity) }
        let size = picture.layout.size
        let depth = JPEGInspection.Depth(for: integrity)
        let delivered = picture.stamp.faults
        let seen = picture.inspection(at: depth) {
            let seen = picture.withBytes { JPEGInspection($0, expected: size, depth: depth, with: &inspector) }
            guard delivered.isEmpty, let faults = picture.faults else { return seen }
            let (isFaultless, time) = (seen.faults.isEmpty, picture.stamp.dequeued)
            faults.record(seen.quirks, isFaultless: isFaultless, seen.depth, of: picture.key, at: time)
            return seen
        }
        let isTolerated = delivered.isEmpty && !seen.quirks.isEmpty && picture.faults?.covers(seen.quirks) ?? false
        let errors = delivered.map(ImagingError.delivered)
        let faults = Self.faults(of: errors + seen.faults)
        let verdict = try seen.verdict(for: integrity, delivered: errors, isTolerated: isTolerated)
        guard integrity != .raw else {
            let count = picture.withBytes { $0.byteCount }
            guard count > 0 else { throw .notJPEG("it is empty") }
            let whole = WholeJPEG.delivered(count: count)
            return JudgedPicture(verdict: verdict, faults: faults, whole: whole, size: seen.size ?? size)
        }
        guard let whole = seen.whole else { throw .truncated }
        var judged = JudgedPicture(verdict: verdict, faults: faults, whole: whole, size: size)
        judged.emptiness = seen.emptiness
        if seen.quirks.contains(.largerSize), let source = seen.size {
            judged.camera = picture.withFile(whole) { CameraExif(in: $0) }
            judged.whole = .mended(try cropped(whole, of: picture, from: source))
        }
        return judged
    }

    /// The upper left part of the granted size, losslessly and without the camera's APP and COM segments.
    private mutating func cropped(
        _ whole: WholeJPEG,
        of picture: Frame,
        from source: FrameSize
    ) throws(ImagingError) -> [UInt8] {
        let size = picture.layout.size
        let plan = try GeometryPlan(ImageOptions(crop: CropRectangle(size: size, left: 0, top: 0)), of: source)
        let part = try picture.withFile(whole) { (file) throws(ImagingError) in
            try transformer.transform(file, plan: plan)
        }
        guard let part else { throw .sizeMismatch(source, expected: size) }
        return part
    }

    /// Checks raw pixels: only driver flags and the byte count can be verified.
    private static func judgePixels(of picture: Frame, for integrity: Integrity) throws(ImagingError) -> JudgedPicture {
        let count = picture.withBytes { $0.byteCount }
        let need = picture.layout.byteCount ?? 0
        let delivered = picture.stamp.faults.filter { $0 != .short }
        let isShort = count < need || picture.stamp.faults.contains(.short)
        let errors = delivered.map(ImagingError.delivered) + (isShort ? [.short(have: count, need: need)] : [])
        if let first = errors.first, integrity != .raw || count == 0 { throw first }
        let verdict = errors.isEmpty ? Verdict.intact : .damaged
        return JudgedPicture(verdict: verdict, faults: faults(of: errors), whole: nil, size: picture.layout.size)
    }

    private static func faults(of errors: [ImagingError]) -> [PictureFault] {
        var faults: [PictureFault] = []
        for fault in errors.compactMap(\.fault) where !faults.contains(fault) { faults.append(fault) }
        return faults
    }
}

extension EncodingOptions {
    private static let shortCopy = 1 << 19

    /// True if the still is a plain copy of the camera's JPEG picture, without decoding (some 0.2 ms).
    func isShortCopy(of picture: Frame) -> Bool {
        picture.isCompressed && integrity != .strict && part == nil && look == nil && image == ImageOptions()
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

    /// Calls `body` with the camera's own JPEG file, as completed by inspection.
    func withFile<R, E: Error>(_ whole: WholeJPEG, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try withBytes { (bytes) throws(E) in try whole.withBytes(of: bytes, body) }
    }
}

extension Problem {
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

package struct JudgedPicture: Sendable {
    package let verdict: Verdict
    package let faults: [PictureFault]
    /// The camera's own JPEG picture with missing parts added, for ``Integrity/raw`` as delivered; nil for pixels.
    package fileprivate(set) var whole: WholeJPEG?
    package let size: FrameSize
    var emptiness: BlankCheck?
    /// EXIF data of the camera that cropping has removed from ``whole``.
    fileprivate(set) var camera: CameraExif?
}
