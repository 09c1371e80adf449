// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// A stream that runs, as its session knows it; the device itself is its thread's (``OpenCamera``).
struct CaptureStream {
    /// Counts the streams that the session has started, from 1.
    let number: UInt64
    /// When opening its device began.
    let began: MonotonicTime
    /// What was granted to it.
    let granted: GrantedFormat
    /// Whether it has the largest size, for clients that want that, in place of the usual one.
    let isFullSize: Bool
    /// Whether the largest size is the usual one; nil until a client has asked for the largest.
    var isUsualFullSize: Bool?
    /// Whether it has given a good frame.
    var hasGivenFrame = false
    /// Whether the first good frame is awaited, or a client waits for settled ones.
    var isSettlingAwaited = true
}
