// SPDX-License-Identifier: Apache-2.0

extension JPEGEncoder {
    /// The picture as JPEG, with the chroma sampling that it has.
    ///
    /// - Parameters:
    ///   - picture: the planes.
    ///   - quality: 1 to 100, as in the JPEG group's library.
    /// - Returns: the bytes of a whole file, SOI to EOI.
    /// - Throws: ``ImagingError/encoder(_:)`` for a size or a quality that cannot be.
    package mutating func encode(_ picture: borrowing PlanarPicture, quality: Int) throws(ImagingError) -> [UInt8] {
        try Self.check(quality: quality)
        return try unsafe compress(picture.source, size: picture.size, quality: quality)
    }
}

extension PlanarPicture {
    /// Where its planes lie.
    var source: PicturePlanes {
        let luma = unsafe plane(0)
        let cb = unsafe plane(planeCount == 1 ? 0 : 1)
        let cr = unsafe plane(planeCount == 1 ? 0 : 2)
        return unsafe PicturePlanes(
            luma: luma.start,
            lumaStride: luma.stride,
            cb: cb.start,
            cr: cr.start,
            chromaStride: cb.stride,
            sampling: sampling
        )
    }
}
