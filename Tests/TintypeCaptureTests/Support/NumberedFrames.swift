// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeModel

@testable import TintypeCapture
@testable import TintypeDevice

/// A test that hands on frames by their numbers: one a millisecond, exposed and there at once.
protocol NumberedFrames {
    /// When the frame 0 came.
    var start: MonotonicTime { get }
}

extension NumberedFrames {
    func key(_ ordinal: UInt64, stream: UInt64 = 1) -> FrameKey { FrameKey(stream: stream, ordinal: ordinal) }

    func stamp(_ ordinal: UInt64) -> FrameStamp { FrameStamp(ordinal, at: start + .milliseconds(ordinal)) }

    /// A frame whose picture is its number, or the given bytes.
    func frame(_ ordinal: UInt64, _ jpeg: [UInt8]? = nil) -> Frame {
        let size = FrameSize(width: 1, height: 1)
        let picture = RenderedPicture(jpeg: jpeg ?? [UInt8(ordinal)], size: size, verdict: .intact)
        let stamp = stamp(ordinal)
        let name = FrameName(of: stamp, by: TestClock())
        return Frame(stamp: stamp, key: key(ordinal), name: name, picture: picture, encodeTime: .zero)
    }
}

extension FrameStamp {
    /// A frame that was exposed at `moment`, and came at once.
    init(_ ordinal: some BinaryInteger, at moment: MonotonicTime, source: TimestampSource = .startOfExposure) {
        self.init(
            sequence: UInt32(ordinal),
            ordinal: UInt64(ordinal),
            exposureStart: moment,
            uncertainty: .zero,
            source: source,
            dequeued: moment
        )
    }
}
