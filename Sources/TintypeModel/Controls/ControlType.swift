// SPDX-License-Identifier: Apache-2.0

/// What kind of value a control has (`enum v4l2_ctrl_type`).
package enum ControlType: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// A whole number of 32 bits.
    case integer
    /// A whole number of 64 bits.
    case integer64
    /// On or off.
    case boolean
    /// One item of a list of names.
    case menu
    /// One item of a list of numbers.
    case integerMenu
    /// A set of bits.
    case bitmask
    /// Something that happens once when it is pressed; it has no value.
    case button
    /// Text.
    case string
    /// An array or a structure: listed, and neither read nor set.
    case compound
}

/// What else is to be known of a control (`V4L2_CTRL_FLAG_*`).
package enum ControlFlag: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// It is switched off for good, and every attempt to change it is refused.
    case disabled
    /// Another program holds it, or streaming does.
    case grabbed
    /// It can be read only.
    case readOnly
    /// It can be written only.
    case writeOnly
    /// Changing it may change others: ranges, flags or values.
    case update
    /// It has no effect as the device is set now, such as a manual value while the automatic is on.
    case inactive
    /// Its value changes by itself.
    case volatile
    /// Writing it does something even where the value stays the same.
    case executeOnWrite
    /// Changing it may change the size of buffers.
    case modifyLayout
}
