// SPDX-License-Identifier: Apache-2.0

/// The parts of an encoder's scratch memory that one picture is split into.
@unsafe struct SplitRows {
    let luma: UnsafeMutablePointer<UInt8>
    let cb: UnsafeMutablePointer<UInt8>
    let cr: UnsafeMutablePointer<UInt8>
    /// One row of chroma, for the lower of two rows that are averaged.
    let spareCb: UnsafeMutablePointer<UInt8>
    /// As ``spareCb``.
    let spareCr: UnsafeMutablePointer<UInt8>
    /// What the chroma of one row adds to its luma.
    let sums: UnsafeMutablePointer<Int32>

    func planes(lumaStride: Int, chromaStride: Int, sampling: ChromaSampling) -> PicturePlanes {
        unsafe PicturePlanes(
            luma: luma,
            lumaStride: lumaStride,
            cb: cb,
            cr: cr,
            chromaStride: chromaStride,
            sampling: sampling
        )
    }
}
