// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

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
