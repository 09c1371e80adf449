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
