// SPDX-License-Identifier: Apache-2.0

/// One plane of samples, a byte each, that may be written.
@unsafe struct SamplePlane {
    /// The first sample of the first row.
    let start: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next.
    let stride: Int
    /// Samples a row.
    let width: Int
    /// Rows.
    let height: Int

    /// The first sample of a row, which must be one of the plane's.
    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> { unsafe start + index * stride }

    /// The same, only to be read.
    var source: SourcePlane { unsafe SourcePlane(start: start, stride: stride, width: width, height: height) }
}

/// One plane of samples, a byte each, that is only read.
@unsafe struct SourcePlane {
    /// The first sample of the first row.
    let start: UnsafePointer<UInt8>
    /// Bytes from one row to the next.
    let stride: Int
    /// Samples a row.
    let width: Int
    /// Rows.
    let height: Int

    /// The first sample of a row, which must be one of the plane's.
    func row(_ index: Int) -> UnsafePointer<UInt8> { unsafe start + index * stride }
}

/// The planes of a JFIF picture: in the camera's buffer, in memory of ours, or partly in each.
@unsafe struct PicturePlanes {
    var luma: SourcePlane
    /// Of a grey picture, as ``cr``, its luma.
    let cb: SourcePlane
    let cr: SourcePlane
    let sampling: ChromaSampling
}
