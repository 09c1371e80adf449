// SPDX-License-Identifier: Apache-2.0
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture
@testable import TintypeFrames

/// A test that hands on frames by their numbers: one a millisecond, exposed and there at once.
protocol NumberedFrames {
    /// When the frame 0 came.
    var start: MonotonicTime { get }
}

extension NumberedFrames {
    func key(_ ordinal: UInt64, stream: UInt64 = 1) -> FrameKey { FrameKey(stream: stream, ordinal: ordinal) }

    func stamp(_ ordinal: UInt64) -> FrameStamp {
        FrameStamp(
            sequence: UInt32(ordinal),
            ordinal: ordinal,
            exposureStart: start + .milliseconds(ordinal),
            uncertainty: .zero,
            source: .startOfExposure,
            dequeued: start + .milliseconds(ordinal)
        )
    }

    func frame(_ ordinal: UInt64) -> Frame {
        Frame(
            stamp: stamp(ordinal),
            key: key(ordinal),
            picture: RenderedPicture(jpeg: [1], size: FrameSize(width: 1, height: 1), verdict: .intact),
            encodeTime: .zero
        )
    }
}
