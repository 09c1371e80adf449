// SPDX-License-Identifier: Apache-2.0

/// What a session has counted since the daemon started.
///
/// Counters never go down.
package struct CameraCounters: Hashable, Sendable, Codable {
    /// Buffers taken from the driver.
    package var captured: UInt64 = 0
    /// Frames that the driver left out, seen as gaps in `sequence`.
    package var sequenceGaps: UInt64 = 0
    /// Buffers that the driver flagged as damaged (`V4L2_BUF_FLAG_ERROR`).
    package var flagged: UInt64 = 0
    /// Buffers with fewer bytes than the format needs.
    package var short: UInt64 = 0
    /// Good buffers that went back unread because a newer one waited behind them.
    package var superseded: UInt64 = 0
    /// Pictures encoded, or copied out of the buffer where the camera delivers JPEG.
    package var encoded: UInt64 = 0
    /// Frames whose bytes turned out not to be a picture.
    package var corrupt: UInt64 = 0
    /// Stills handed out.
    package var stills: UInt64 = 0
    /// Frames published into the spool by schedule.
    package var published: UInt64 = 0
    /// Slots of schedules in which no frame could be published, and frames of a stream that could not.
    package var missedSlots: UInt64 = 0
    /// Times the device was opened.
    package var opened: UInt64 = 0
    /// Times the session was interrupted.
    package var interrupted: UInt64 = 0
    /// Times the stream was interrupted for a still of the largest size.
    package var gaps: UInt64 = 0

    /// All zero.
    package init() {}
}
