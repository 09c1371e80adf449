// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeModel

@testable import TintypeCapture
@testable import TintypeDevice

/// A test with numbered frames, one per millisecond, available at the start of exposure.
protocol NumberedFrames {
    var start: MonotonicTime { get }
}

extension NumberedFrames {
    func key(_ ordinal: UInt64, stream: UInt64 = 1) -> FrameKey { FrameKey(stream: stream, ordinal: ordinal) }

    func stamp(_ ordinal: UInt64, stream: UInt64 = 1) -> FrameStamp {
        FrameStamp(ordinal, at: start + .milliseconds(ordinal), stream: stream)
    }

    /// An image whose file is its number, or `jpeg`.
    func image(_ ordinal: UInt64, _ jpeg: [UInt8]? = nil) -> EncodedImage {
        let size = FrameSize(width: 1, height: 1)
        let picture = RingPicture(stamp: stamp(ordinal), layout: .jpeg(size), bytes: [])
        let clock = TestClock()
        let frame = Frame(picture, faults: KnownFaults(clock: clock))
        return EncodedImage(of: frame, by: clock, jpeg: jpeg ?? [UInt8(ordinal)], size: size, verdict: .intact)
    }
}

extension FrameStamp {
    /// Creates the stamp of a frame that is exposed and dequeued at `moment`.
    init(
        _ ordinal: some BinaryInteger,
        at moment: MonotonicTime,
        source: TimestampSource = .startOfExposure,
        stream: UInt64 = 1
    ) {
        self.init(
            sequence: UInt32(ordinal),
            stream: stream,
            ordinal: UInt64(ordinal),
            exposureStart: moment,
            uncertainty: .zero,
            source: source,
            dequeued: moment
        )
    }
}
