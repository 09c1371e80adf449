// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// The one place where the steps from a captured picture to a still follow on each other.
extension EncodingThreads.Codecs {
    /// Makes the still of a captured picture.
    ///
    /// A camera's own JPEG goes through as it is where nothing is done to it and no quality is asked for. Where it is only
    /// cropped, flipped or turned, and that comes out exactly in whole blocks, its compressed data stays. Everything else
    /// becomes planes: cropped, flipped, turned and scaled, and compressed again with the quality that was asked for.
    ///
    /// Blocks for as long as that takes; on an encoding thread. The picture's size is that of the file.
    ///
    /// - Throws: ``ImagingError/refused(_:)`` where what was asked for cannot be made of this camera's pictures, and any
    ///   other where something is wrong with this one.
    package mutating func render(
        _ picture: CapturedPicture,
        as rendition: Rendition
    ) throws(ImagingError) -> RenderedPicture {
        let plan = try GeometryPlan(rendition.rendering, of: picture.layout.size)
        let judged = try judge(picture, for: rendition.integrity)
        var made = RenderedPicture(jpeg: [], size: plan.size, verdict: judged.verdict, faults: judged.faults)
        made.camera = picture.ownExif(judged)
        made.emptiness = judged.emptiness
        made.deinterlaced = picture.layout.deinterlaced
        made.signal = picture.layout.signal
        if rendition.rendering.overlay == nil, rendition.part == nil,
            let (jpeg, size) = try undrawn(picture, judged, rendition, plan)
        {
            (made.jpeg, made.size) = (jpeg, size)
            return made
        }
        try draw(picture, judged, plan: plan, integrity: rendition.integrity)
        defer { planes.trim() }
        made.size = planes.size
        if let part = rendition.part {
            // A part that is not the last is no picture yet.
            guard let (verdict, faults) = try part.add(&planes, made.verdict, made.faults) else { return made }
            (made.verdict, made.faults) = (verdict, faults)
        }
        if let text = rendition.rendering.overlay {
            let moment = clock.wall(at: (rendition.part?.stamp ?? picture.stamp).exposureStart)
            try pen.write(text, at: moment, rendition.style, into: &planes)
        }
        made.jpeg = try encoder.encode(planes, quality: rendition.quality)
        return made
    }

    /// The still where no pixel has to be drawn for it; nil where some have.
    private mutating func undrawn(
        _ picture: CapturedPicture,
        _ judged: JudgedPicture,
        _ rendition: Rendition,
        _ plan: GeometryPlan
    ) throws(ImagingError) -> (jpeg: [UInt8], size: FrameSize)? {
        guard let own = judged.whole, picture.isCompressed else {
            guard plan.isIdentity else { return nil }
            let jpeg = try withPixels(of: picture, judged) { (bytes, layout, codecs) throws(ImagingError) in
                try codecs.encoder.encode(bytes, layout: layout, quality: rendition.quality)
            }
            return (jpeg, plan.size)
        }
        let rendering = rendition.rendering
        // A quality that is asked for is that of the file.
        guard rendering.quality == nil else { return nil }
        guard !plan.isIdentity else { return (picture.withBytes { own.copied(from: $0) }, judged.size) }
        guard rendering.isLossless != false, !plan.isScaled else { return nil }
        let kept = try picture.withFile(own) { (file) throws(ImagingError) in
            try JPEGTransformer.losslessRegion(of: file, plan: plan)
        }
        guard kept == plan.region else {
            guard rendering.isLossless == true else { return nil }
            throw .refused(.notOnBlocks(plan.region, nearest: kept))
        }
        let strict = rendition.integrity == .strict
        let moved = try picture.withFile(own) { (file) throws(ImagingError) in
            try transformer.transform(file, plan: plan, strict: strict)
        }
        guard let moved else { return nil }
        return (moved, try JPEGHeader.read(moved.rawSpan).size)
    }

    /// Draws a captured picture into ``planes``: cropped, flipped, turned and scaled.
    mutating func draw(
        _ picture: CapturedPicture,
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

extension Rendition {
    /// The most bytes of a short copy.
    private static let shortCopy = 1 << 19

    /// Whether it is the camera's own picture as it is, looked at as peers do at most: some 0.2 ms.
    func isShortCopy(of picture: CapturedPicture) -> Bool {
        picture.isCompressed && integrity != .strict && part == nil && rendering == StillRendering()
            && picture.withBytes { $0.byteCount } <= Self.shortCopy
    }
}

extension CapturedPicture {
    /// Whether its bytes are a JPEG picture that is the right way up.
    var isCompressed: Bool { layout.pixelFormat.isJPEG && converter == nil }

    /// What the camera says of itself in its own JPEG picture; nil where it says nothing.
    ///
    /// A picture that libv4lconvert turns lies as it says no more.
    func ownExif(_ judged: JudgedPicture) -> CameraExif? {
        guard let whole = judged.whole else { return nil }
        var own = withFile(whole) { CameraExif(in: $0) }
        if converter != nil { own?.orientation = nil }
        return own
    }
}

extension Problem {
    /// A still that must keep the camera's compressed data cannot have just this part of the picture.
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
