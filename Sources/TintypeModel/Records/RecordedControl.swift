// SPDX-License-Identifier: Apache-2.0

/// A control as a driver tells it, or the heading of a class of controls (`VIDIOC_QUERY_EXT_CTRL`, `VIDIOC_QUERYMENU`,
/// `VIDIOC_G_EXT_CTRLS`).
package struct RecordedControl: Hashable, Codable, WireObject {
    package var id: HexNumber
    package var name: String
    package var type: HexNumber
    package var minimum: Int64?
    package var maximum: Int64?
    package var step: UInt64?
    package var `default`: Int64?
    package var flags: HexNumber?
    package var dimensions: [UInt32]?
    package var elementSize: UInt32?
    package var menu: [ControlMenuItem]?
    package var value: ControlValue?

    /// A control of which no more is known.
    package init(id: HexNumber, name: String, type: HexNumber) {
        self.id = id
        self.name = name
        self.type = type
    }

    package static let summary = "A control as the driver tells it, or the heading of a class of controls."
    package static let fields: [Field] = [
        Field("id", \.id, "V4L2_CID_*"),
        Field("name", \.name, "Its name in the driver's words."),
        Field("type", \.type, "V4L2_CTRL_TYPE_*"),
        Field("minimum", \.minimum),
        Field("maximum", \.maximum),
        Field("step", \.step),
        Field("default", \.default),
        Field("flags", \.flags, "V4L2_CTRL_FLAG_*"),
        Field("dimensions", \.dimensions, "With an array: its elements in each dimension."),
        Field("elementSize", \.elementSize, "With text, an array or a structure: the bytes of an element."),
        Field("menu", \.menu, "With a menu: the items that the driver has."),
        Field("value", \.value, "Its value; missing if it has none, cannot be read, or is an array or a structure."),
    ]
}
