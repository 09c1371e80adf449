// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeDevice
import TintypeModel

@testable import TintypeCapture
@testable import TintypeFrames

extension CapturedPicture {
    /// A frame of a camera that gives this JPEG picture.
    convenience init(_ jpeg: [UInt8], _ size: FrameSize) { self.init(jpeg, .jpeg(size)) }

    /// A frame of these bytes.
    convenience init(_ bytes: [UInt8], _ layout: PictureLayout) {
        let now = TestClock().now
        let stamp = FrameStamp(
            sequence: 1,
            ordinal: 1,
            exposureStart: now,
            uncertainty: .zero,
            source: .startOfExposure,
            dequeued: now
        )
        let key = FrameKey(stream: 1, ordinal: 1)
        self.init(RingPicture(stamp: stamp, key: key, layout: layout, bytes: bytes), quirks: QuirkMemory())
    }
}
