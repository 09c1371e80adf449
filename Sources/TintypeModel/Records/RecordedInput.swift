// SPDX-License-Identifier: Apache-2.0

/// An input as a driver enumerates it (`VIDIOC_ENUMINPUT`).
package struct RecordedInput: Hashable, Codable, WireObject {
    package var name: String
    package var type: UInt32?
    package var status: HexNumber?
    package var capabilities: HexNumber?
    package var standards: HexNumber?

    /// An input of this name.
    package init(name: String) { self.name = name }

    package static let summary = "An input as the driver enumerates it."
    package static let fields: [Field] = [
        Field("name", \.name, "Its name."),
        Field("type", \.type, "V4L2_INPUT_TYPE_*"),
        Field("status", \.status, "V4L2_IN_ST_*"),
        Field("capabilities", \.capabilities, "V4L2_IN_CAP_*"),
        Field("standards", \.standards, "The standards that it can receive (v4l2_std_id)."),
    ]
}

/// An analogue standard as a driver enumerates it (`VIDIOC_ENUMSTD`).
package struct RecordedStandard: Hashable, Codable, WireObject {
    package var name: String
    package var id: HexNumber
    package var lines: UInt32
    package var period: Fraction

    /// A standard of these parts.
    package init(name: String, id: HexNumber, lines: UInt32, period: Fraction) {
        self.name = name
        self.id = id
        self.lines = lines
        self.period = period
    }

    package static let summary = "An analogue standard as the driver enumerates it."
    package static let fields: [Field] = [
        Field("name", \.name, "Its name."),
        Field("id", \.id, "v4l2_std_id"),
        Field("lines", \.lines, "The lines of a picture, those without a picture included."),
        Field("period", \.period, "The time from one picture to the next, in seconds."),
    ]
}
