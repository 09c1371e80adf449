// SPDX-License-Identifier: Apache-2.0

/// Digital timings as a driver measures or has them (`v4l2_bt_timings`).
package struct RecordedTimings: Hashable, Codable, WireObject {
    package var size: FrameSize
    package var isInterlaced: Bool
    package var polarities: HexNumber
    package var pixelClock: UInt64
    package var horizontal: [UInt32]
    package var vertical: [UInt32]
    package var secondField: [UInt32]
    package var standards: HexNumber
    package var flags: HexNumber

    /// Timings of these parts.
    package init(
        size: FrameSize,
        isInterlaced: Bool,
        polarities: HexNumber,
        pixelClock: UInt64,
        horizontal: [UInt32],
        vertical: [UInt32],
        secondField: [UInt32],
        standards: HexNumber,
        flags: HexNumber
    ) {
        self.size = size
        self.isInterlaced = isInterlaced
        self.polarities = polarities
        self.pixelClock = pixelClock
        self.horizontal = horizontal
        self.vertical = vertical
        self.secondField = secondField
        self.standards = standards
        self.flags = flags
    }

    package static let summary = "Digital timings."
    package static let fields: [Field] = [
        Field("size", \.size, "The size of the picture."),
        Field("isInterlaced", \.isInterlaced, "Whether it comes in two fields."),
        Field("polarities", \.polarities, "V4L2_DV_VSYNC_POS_POL, V4L2_DV_HSYNC_POS_POL"),
        Field("pixelClock", \.pixelClock, "Pixels a second."),
        Field("horizontal", \.horizontal, "Front porch, synchronisation and back porch of a line, in pixels."),
        Field("vertical", \.vertical, "The same of a picture or of its first field, in lines."),
        Field("secondField", \.secondField, "The same of the second field; zeros if there is none."),
        Field("standards", \.standards, "V4L2_DV_BT_STD_*"),
        Field("flags", \.flags, "V4L2_DV_FL_*"),
    ]
}
