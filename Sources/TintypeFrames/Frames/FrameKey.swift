// SPDX-License-Identifier: Apache-2.0

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
