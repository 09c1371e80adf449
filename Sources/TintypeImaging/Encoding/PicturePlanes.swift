// SPDX-License-Identifier: Apache-2.0

/// Where the planes of a JFIF picture lie: in the camera's buffer, in scratch memory, or partly in each.
@unsafe struct PicturePlanes {
    let luma: UnsafePointer<UInt8>
    let lumaStride: Int
    let cb: UnsafePointer<UInt8>
    let cr: UnsafePointer<UInt8>
    let chromaStride: Int
    let sampling: ChromaSampling
}
