// SPDX-License-Identifier: Apache-2.0

/// The parameters of a stream (`VIDIOC_G_PARM`).
package struct RecordedRate: Hashable, Codable, WireObject {
    package var capability: HexNumber
    package var interval: Fraction

    /// Parameters of these parts.
    package init(capability: HexNumber, interval: Fraction) {
        self.capability = capability
        self.interval = interval
    }

    package static let summary = "The parameters of the stream."
    package static let fields: [Field] = [
        Field("capability", \.capability, "0x1000 (V4L2_CAP_TIMEPERFRAME) if the rate can be set."),
        Field("interval", \.interval, "The time from one frame to the next, in seconds."),
    ]
}

/// A rectangle of the picture (`VIDIOC_G_SELECTION`).
package struct RecordedRectangle: Hashable, Codable, WireObject {
    package var target: HexNumber
    package var left: Int
    package var top: Int
    package var size: FrameSize

    /// A rectangle of these parts.
    package init(target: HexNumber, left: Int, top: Int, size: FrameSize) {
        self.target = target
        self.left = left
        self.top = top
        self.size = size
    }

    package static let summary = "A rectangle of the picture."
    package static let fields: [Field] = [
        Field("target", \.target, "V4L2_SEL_TGT_*"),
        Field("left", \.left, "Pixels to the left of it."),
        Field("top", \.top, "Rows above it."),
        Field("size", \.size, "Its size."),
    ]
}
