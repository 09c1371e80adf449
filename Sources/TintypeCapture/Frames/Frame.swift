// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
package import TintypeModel

/// One picture, encoded; immutable, so that all who asked for it share it.
package struct Frame: Sendable {
    /// Which frame it is and when it was taken.
    package let stamp: FrameStamp
    /// The size of the picture.
    package let size: FrameSize
    /// The JPEG file.
    package let jpeg: [UInt8]
    /// How long it took to encode, or to copy out of the driver's buffer.
    package let encodeTime: Duration

    /// A frame of these parts.
    package init(stamp: FrameStamp, size: FrameSize, jpeg: [UInt8], encodeTime: Duration) {
        self.stamp = stamp
        self.size = size
        self.jpeg = jpeg
        self.encodeTime = encodeTime
    }
}

/// The name of a frame among all that a session has seen: which stream, and which buffer of it.
package struct FrameKey: Hashable, Sendable {
    /// Counts the streams that the session has started, from 1.
    package var stream: UInt64
    /// ``FrameStamp/ordinal``.
    package var ordinal: UInt64

    /// A key of these parts.
    package init(stream: UInt64, ordinal: UInt64) {
        self.stream = stream
        self.ordinal = ordinal
    }
}
