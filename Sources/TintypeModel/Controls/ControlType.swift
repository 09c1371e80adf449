// SPDX-License-Identifier: Apache-2.0

/// Value type of a control (`enum v4l2_ctrl_type`).
package enum ControlType: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case integer, integer64, boolean
    /// Item of a list of names.
    case menu
    /// Item of a list of integers.
    case integerMenu
    case bitmask
    /// Action without a value, triggered by writing.
    case button
    case string
    /// Array or structure: listed, but neither read nor set.
    case compound
}

/// Flags of a control (`V4L2_CTRL_FLAG_*`).
package enum ControlFlag: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Permanently disabled; every write fails.
    case disabled
    /// Locked by another program or by streaming.
    case grabbed
    case readOnly
    case writeOnly
    /// A write may change ranges, flags or values of other controls.
    case update
    /// Without effect in the current state of the device, such as a manual value while the automatic mode is on.
    case inactive
    /// The value changes by itself.
    case volatile
    /// A write has an effect even if the value is unchanged.
    case executeOnWrite
    /// A write may change the buffer size.
    case modifyLayout
}
