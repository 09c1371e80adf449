// SPDX-License-Identifier: Apache-2.0

/// A pixel format whose planes have a buffer each, where the multi-planar API has several for a frame.
///
/// Source: the kernel documentation's "Multi-planar format structure", and "Planar YUV formats".
package struct SeveralBuffers: Hashable, Sendable {
    /// The format, as the driver says it.
    package let pixelFormat: FourCC
    /// The format of the same picture in one buffer.
    package let whole: FourCC
    /// How many buffers a frame has.
    package let count: Int

    /// All of them, by their names in linux/videodev2.h: NV12M, NV21M, NV16M, NV61M, YUV420M, YVU420M and YUV422M.
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
    /// What is known of a format in several buffers; nil for those in one.
    package var severalBuffers: SeveralBuffers? { SeveralBuffers.all.first { $0.pixelFormat == self } }

    /// The format of the same picture in one buffer.
    package var inOneBuffer: FourCC { severalBuffers?.whole ?? self }
}
