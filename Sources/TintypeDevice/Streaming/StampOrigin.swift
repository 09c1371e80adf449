// SPDX-License-Identifier: Apache-2.0

/// Where a driver's stamps come from, as far as that is known besides their flags.
package enum StampOrigin: Hashable, Sendable {
    /// As the flags of each buffer say.
    case flagged
    /// The arrival of a frame's first bytes, whatever the flags say (uvcvideo, `uvc_video_decode_start`).
    case arrival
    /// The camera's own clock at the start of a frame, once the driver has compared it with its own
    /// (uvcvideo with `hwtimestamps=1`, `uvc_video_clock_update`); before that it is ``arrival``.
    case device

    /// The comparisons that uvcvideo makes after each start of a stream before it uses the camera's clock
    /// (`uvc_clock.size`); each frame of a camera that tells its clock gives one at least.
    static let deviceSamples: UInt64 = 32
}
