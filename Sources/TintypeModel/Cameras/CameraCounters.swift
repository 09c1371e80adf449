// SPDX-License-Identifier: Apache-2.0

package struct CameraCounters: Equatable, Codable, WireObject {
    package var captured: UInt64 = 0
    package var sequenceGaps: UInt64 = 0
    /// Buffers with `V4L2_BUF_FLAG_ERROR`.
    package var flagged: UInt64 = 0
    package var short: UInt64 = 0
    package var superseded: UInt64 = 0
    package var encoded: UInt64 = 0
    package var corrupt: UInt64 = 0
    package var stills: UInt64 = 0
    package var streamed: UInt64 = 0
    package var published: UInt64 = 0
    package var missedSlots: UInt64 = 0
    package var opened: UInt64 = 0
    package var interrupted: UInt64 = 0
    package var gaps: UInt64 = 0

    package init() {}

    package static let summary = "The counters of a session since the daemon started; they never decrease."
    package static let fields: [Field] = [
        Field("captured", \.captured, "Buffers taken from the driver."),
        Field("sequenceGaps", \.sequenceGaps, "Frames that the driver skipped, by its frame numbers."),
        Field("flagged", \.flagged, "Buffers that the driver flagged as damaged."),
        Field("short", \.short, "Buffers with fewer bytes than the format needs."),
        Field("superseded", \.superseded, "Good buffers that went back unread because a newer one waited behind them."),
        Field("encoded", \.encoded, "Pictures encoded, or copied where the camera delivers JPEG."),
        Field("corrupt", \.corrupt, "Frames whose bytes turned out not to be a picture."),
        Field("stills", \.stills, "Stills delivered."),
        Field("streamed", \.streamed, "Pictures sent to clients that watch live."),
        Field("published", \.published, "Frames published into the spool by schedule."),
        Field("missedSlots", \.missedSlots, "Schedule slots without a published frame, and unpublished stream frames."),
        Field("opened", \.opened, "Times the device was opened."),
        Field("interrupted", \.interrupted, "Times the session was interrupted."),
        Field("gaps", \.gaps, "Times the stream was interrupted for a still of the largest size."),
    ]
}
