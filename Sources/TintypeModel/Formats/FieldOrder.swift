// SPDX-License-Identifier: Apache-2.0

/// Order of the two fields of interlaced video in the buffers.
///
/// The fields hold the even and the odd rows and are exposed half a frame apart. Source: the kernel documentation's
/// "Field Order" chapter; `enum v4l2_field`.
package enum FieldOrder: Hashable, Sendable {
    /// A complete picture, all rows of one exposure (`V4L2_FIELD_NONE`).
    ///
    /// Also single fields used as pictures, which drivers deliver for pictures no taller than a field
    /// (`V4L2_FIELD_TOP`, `V4L2_FIELD_BOTTOM`).
    case whole
    /// Both fields in one buffer, rows alternating (`V4L2_FIELD_INTERLACED`, `_TB`, `_BT`).
    case woven
    /// One field per buffer with half the rows, alternating between top and bottom (`V4L2_FIELD_ALTERNATE`).
    case alternating
}
