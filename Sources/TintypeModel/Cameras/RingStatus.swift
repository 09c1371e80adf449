// SPDX-License-Identifier: Apache-2.0

/// What a camera's ring of past frames holds, and what it costs.
package struct RingStatus: Hashable, Sendable, Codable {
    /// How far it is to reach back, in seconds.
    package var seconds: Int
    /// The most memory that it may take, in MiB.
    package var megabytes: Int
    /// The frames in it.
    package var frames: Int
    /// The bytes of memory that they take.
    package var bytes: Int
    /// The time from the exposure of its oldest frame to that of its newest.
    package var spanMs: Milliseconds
    /// Frames that did not get into it since the daemon started: the encoder could not keep up, or they were damaged.
    package var dropped: UInt64

    /// A status of these parts.
    package init(
        seconds: Int,
        megabytes: Int,
        frames: Int = 0,
        bytes: Int = 0,
        span: Duration = .zero,
        dropped: UInt64 = 0
    ) {
        self.seconds = seconds
        self.megabytes = megabytes
        self.frames = frames
        self.bytes = bytes
        spanMs = Milliseconds(span)
        self.dropped = dropped
    }
}
