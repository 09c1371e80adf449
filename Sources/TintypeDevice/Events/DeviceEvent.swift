// SPDX-License-Identifier: Apache-2.0

/// What a device tells besides frames.
///
/// Source: `VIDIOC_DQEVENT` of the V4L2 documentation.
package enum DeviceEvent: Hashable, Sendable {
    /// The signal of the input has another size or timing, is gone or is back (`V4L2_EVENT_SOURCE_CHANGE`): what was
    /// negotiated holds no longer.
    case sourceChanged
    /// The last frame has been delivered (`V4L2_EVENT_EOS`).
    case endOfStream
    /// The value of a control has changed (`V4L2_EVENT_CTRL`): its number, its value (0 for those that hold more than a number) and
    /// its flags (`V4L2_CTRL_FLAG_*`).
    case controlChanged(id: UInt32, value: Int64, flags: UInt32)
}
