// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
package import TintypeModel

/// One picture, encoded; immutable, so that all who asked for it share it.
package struct Frame: Sendable {
    /// Which frame it is and when it was taken.
    package let stamp: FrameStamp
    /// The name of the frame that it was made of.
    package let key: FrameKey
    /// The id and the wall-clock time of what was made of it.
    package let name: FrameName
    /// What was made of it.
    package let picture: RenderedPicture
    /// How long it took to encode, or to copy out of the driver's buffer, and to look at.
    package let encodeTime: Duration
    /// What it looks like where it may be worth nothing.
    package let appearance: [Appearance]

    /// A frame of these parts; it is given a name where it has none.
    package init(
        stamp: FrameStamp,
        key: FrameKey,
        name: FrameName? = nil,
        picture: RenderedPicture,
        encodeTime: Duration,
        appearance: [Appearance] = []
    ) {
        self.stamp = stamp
        self.key = key
        self.name = name ?? FrameName(of: stamp)
        self.picture = picture
        self.encodeTime = encodeTime
        self.appearance = appearance
    }
}

/// The name of a frame among all that a session has seen: which stream, and which buffer of it.
package struct FrameKey: Hashable, Comparable, Sendable {
    /// Counts the streams that the session has started, from 1.
    package var stream: UInt64
    /// ``FrameStamp/ordinal``.
    package var ordinal: UInt64

    /// A key of these parts.
    package init(stream: UInt64, ordinal: UInt64) {
        self.stream = stream
        self.ordinal = ordinal
    }

    /// Whether `left` was taken before `right`.
    package static func < (left: FrameKey, right: FrameKey) -> Bool {
        (left.stream, left.ordinal) < (right.stream, right.ordinal)
    }
}
