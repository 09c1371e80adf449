// SPDX-License-Identifier: Apache-2.0
package import TintypeImaging
internal import TintypeModel

/// The one place where the steps from a captured picture to a still follow on each other.
extension EncodingThreads.Workbench {
    /// Makes the still of a captured picture.
    ///
    /// A camera's own JPEG goes through as it is where nothing is done to it. Where it is only cropped, flipped or turned
    /// and may be so in whole blocks, its compressed data stays. Everything else becomes planes: cropped, flipped, turned
    /// and scaled, and compressed anew with the quality that was asked for.
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
        let verdict: Verdict = picture.isCompressed ? .sound : .intact
        if rendition.rendering.overlay == nil, let (jpeg, size) = try undrawn(picture, rendition, plan) {
            return RenderedPicture(jpeg: jpeg, size: size, verdict: verdict)
        }
        try draw(picture, plan: plan, integrity: rendition.integrity)
        defer { planes.trim() }
        let jpeg = try encoder.encode(planes, quality: rendition.quality)
        return RenderedPicture(jpeg: jpeg, size: planes.size, verdict: verdict)
    }

    /// The still where no pixel has to be drawn for it; nil where some have.
    private mutating func undrawn(
        _ picture: CapturedPicture,
        _ rendition: Rendition,
        _ plan: GeometryPlan
    ) throws(ImagingError) -> (jpeg: [UInt8], size: FrameSize)? {
        guard picture.isCompressed else {
            guard plan.isIdentity else { return nil }
            return (try encode(picture, quality: rendition.quality), plan.size)
        }
        guard plan.isIdentity || rendition.rendering.isLossless && !plan.isScaled else { return nil }
        return try picture.withBytes { (bytes) throws(ImagingError) in
            guard !plan.isIdentity else {
                return (try JPEGPassthrough.picture(from: bytes, expected: plan.source), plan.size)
            }
            let strict = rendition.integrity == .strict
            guard let jpeg = try transformer.transform(bytes, plan: plan, strict: strict) else { return nil }
            return (jpeg, try JPEGHeader.read(jpeg).size)
        }
    }

    /// Draws a captured picture into ``planes``: cropped, flipped, turned and scaled.
    mutating func draw(
        _ picture: CapturedPicture,
        plan: GeometryPlan,
        integrity: Integrity
    ) throws(ImagingError) {
        guard picture.isCompressed else {
            return try withPixels(of: picture) { (bytes, layout, bench) throws(ImagingError) in
                try bench.encoder.draw(bytes, layout: layout, plan: plan, into: &bench.planes)
            }
        }
        try picture.withBytes { (bytes) throws(ImagingError) in
            try transformer.draw(bytes, plan: plan, strict: integrity == .strict, into: &planes)
        }
    }
}

extension CapturedPicture {
    /// Whether its bytes are a JPEG picture that is the right way up.
    var isCompressed: Bool { layout.pixelFormat.isJPEG && converter == nil }
}
