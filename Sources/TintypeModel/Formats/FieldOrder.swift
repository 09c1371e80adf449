// SPDX-License-Identifier: Apache-2.0

/// How the two fields of interlaced video lie in the buffers: the rows with even numbers, and those with odd numbers,
/// which were exposed half a frame apart.
///
/// Source: the kernel documentation's "Field Order" chapter; `enum v4l2_field`.
package enum FieldOrder: Hashable, Sendable {
    /// A buffer has a whole picture, all rows of one moment.
    case whole
    /// A buffer has both fields, their rows in turn (`V4L2_FIELD_INTERLACED`, `_TB`, `_BT`).
    case woven
    /// A buffer has one field, always the same one (`V4L2_FIELD_TOP`, `V4L2_FIELD_BOTTOM`).
    case single
    /// A buffer has one field, the top and the bottom one in turn (`V4L2_FIELD_ALTERNATE`).
    case alternating

    /// Whether a buffer has half the rows of a picture.
    package var isHalf: Bool { self == .single || self == .alternating }
}
