// SPDX-License-Identifier: Apache-2.0

/// How the two fields of interlaced video lie in the buffers: the rows with even numbers, and those with odd numbers,
/// which were exposed half a frame apart.
///
/// Source: the kernel documentation's "Field Order" chapter; `enum v4l2_field`.
package enum FieldOrder: Hashable, Sendable {
    /// A buffer has a whole picture, all rows of one moment (`V4L2_FIELD_NONE`); or one field that is a picture by itself,
    /// as drivers give for pictures of no more rows than a field has (`V4L2_FIELD_TOP`, `V4L2_FIELD_BOTTOM`).
    case whole
    /// A buffer has both fields, their rows in turn (`V4L2_FIELD_INTERLACED`, `_TB`, `_BT`).
    case woven
    /// A buffer has one field with half the rows of a picture, the top and the bottom one in turn
    /// (`V4L2_FIELD_ALTERNATE`).
    case alternating
}
