// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeModel

@testable import TintypeCapture
@testable import TintypeDevice

extension Frame {
    /// Creates a frame of a camera that delivers this JPEG picture.
    convenience init(_ jpeg: [UInt8], _ size: FrameSize) { self.init(jpeg, .jpeg(size)) }

    /// Creates a frame of these bytes, captured now.
    convenience init(_ bytes: [UInt8], _ layout: PictureLayout, ordinal: UInt64 = 1) {
        let clock = TestClock()
        let stamp = FrameStamp(ordinal, at: clock.now)
        let picture = RingPicture(stamp: stamp, layout: layout, bytes: bytes)
        self.init(picture, faults: KnownFaults(clock: clock))
    }
}

extension PictureLayout {
    /// A luma layout without padding.
    static func grey(_ size: FrameSize) -> PictureLayout {
        PictureLayout(pixelFormat: .grey, size: size, bytesPerRow: size.width, color: .jfif)
    }

    /// A YUYV layout without padding.
    static func yuyv(_ size: FrameSize) -> PictureLayout {
        PictureLayout(pixelFormat: .yuyv, size: size, bytesPerRow: 2 * size.width, color: .jfif)
    }
}

extension CaptureStream {
    /// Creates a stream of 64x48 pixels, opened at `began`.
    init(began: MonotonicTime, isLargest: Bool = false, isFullSize: Bool = false) {
        let format = CaptureFormat(pixelFormat: .yuyv, size: FrameSize(width: 64, height: 48), interval: nil)
        let largest = isLargest ? format.size : nil
        self.init(number: 1, began: began, format: format, largestSize: largest, isFullSize: isFullSize)
    }
}
