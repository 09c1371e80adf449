// SPDX-License-Identifier: Apache-2.0

/// Element type and dimensions of a compound control (`VIDIOC_QUERY_EXT_CTRL`): an array or one structure.
package struct ControlElements: Hashable, Codable, WireObject {
    package var type: String
    package var bytes: UInt32
    package var count: UInt32
    /// Slowest dimension first.
    package var dimensions: [UInt32]

    package init(type: String, bytes: UInt32, count: UInt32, dimensions: [UInt32]) {
        self.type = type
        self.bytes = bytes
        self.count = count
        self.dimensions = dimensions
    }

    package static let summary = "The parts of a compound control: the elements of an array, or one structure."
    package static let fields: [Field] = [
        Field(
            "type",
            \.type,
            "The type of an element, as in u8, integer or area; the driver interface's number, as in 0x240, for others."
        ),
        Field("bytes", \.bytes, "The size of an element in bytes."),
        Field("count", \.count, "The number of elements; for a dynamic array, the current number."),
        Field(
            "dimensions",
            \.dimensions,
            "The number of elements in each dimension, at most for a dynamic array; empty for a structure."
        ),
    ]
}
