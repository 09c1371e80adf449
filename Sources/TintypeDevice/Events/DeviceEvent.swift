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
    /// A control has changed (`V4L2_EVENT_CTRL`).
    ///
    /// - Parameters:
    ///   - id: its number.
    ///   - value: its value, or 0 for one that holds more than a number; nil where the value did not change.
    ///   - isRedefined: whether its range, flags or dimensions changed, so that it has to be described again.
    case controlChanged(id: UInt32, value: Int64?, isRedefined: Bool)
}
