// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
package import TintypeModel

/// A picture out of a ring.
package struct RingPicture: Sendable {
    /// When it was taken.
    package let stamp: FrameStamp
    /// Which frame it is.
    package let key: FrameKey
    /// How its bytes are to be read.
    package let layout: PictureLayout
    /// The picture as the driver delivered it.
    package let bytes: [UInt8]

    /// A picture of these parts.
    package init(stamp: FrameStamp, key: FrameKey, layout: PictureLayout, bytes: [UInt8]) {
        self.stamp = stamp
        self.key = key
        self.layout = layout
        self.bytes = bytes
    }
}
