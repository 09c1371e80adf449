// SPDX-License-Identifier: Apache-2.0

/// Multi-planar pixel format with one buffer per plane.
///
/// Source: the kernel documentation's "Multi-planar format structure" and "Planar YUV formats".
package struct SeveralBuffers: Hashable, Sendable {
    package let pixelFormat: FourCC
    /// Same format in one buffer.
    package let whole: FourCC
    /// Number of buffers per frame.
    package let count: Int

    /// NV12M, NV21M, NV16M, NV61M, YUV420M, YVU420M and YUV422M of linux/videodev2.h.
    package static let all: [SeveralBuffers] = [
        SeveralBuffers(pixelFormat: FourCC("N", "M", "1", "2"), whole: .nv12, count: 2),
        SeveralBuffers(pixelFormat: FourCC("N", "M", "2", "1"), whole: .nv21, count: 2),
        SeveralBuffers(pixelFormat: FourCC("N", "M", "1", "6"), whole: .nv16, count: 2),
        SeveralBuffers(pixelFormat: FourCC("N", "M", "6", "1"), whole: .nv61, count: 2),
        SeveralBuffers(pixelFormat: FourCC("Y", "M", "1", "2"), whole: .yu12, count: 3),
        SeveralBuffers(pixelFormat: FourCC("Y", "M", "2", "1"), whole: .yv12, count: 3),
        SeveralBuffers(pixelFormat: FourCC("Y", "M", "1", "6"), whole: .yuv422p, count: 3),
    ]
}

extension FourCC {
    /// Nil for formats with one buffer per frame.
    package var severalBuffers: SeveralBuffers? { SeveralBuffers.all.first { $0.pixelFormat == self } }

    /// Same format in one buffer.
    package var inOneBuffer: FourCC { severalBuffers?.whole ?? self }
}
