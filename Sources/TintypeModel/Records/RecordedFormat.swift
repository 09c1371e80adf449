// SPDX-License-Identifier: Apache-2.0

/// A pixel format as a driver enumerates it (`VIDIOC_ENUM_FMT`, `VIDIOC_ENUM_FRAMESIZES`).
package struct RecordedFormat: Hashable, Codable, WireObject {
    package var pixelFormat: FourCC
    package var name: String
    package var flags: HexNumber?
    package var sizeRange: RecordedRange?
    package var sizes: [RecordedSize]
    package var asked: [RecordedSize]?

    /// A format without sizes.
    package init(pixelFormat: FourCC, name: String, flags: HexNumber?) {
        self.pixelFormat = pixelFormat
        self.name = name
        self.flags = flags
        sizes = []
    }

    package static let summary = "A pixel format as the driver enumerates it."
    package static let fields: [Field] = [
        Field("pixelFormat", \.pixelFormat, "The four characters of V4L2."),
        Field("name", \.name, "The driver's own name for it."),
        Field("flags", \.flags, "V4L2_FMT_FLAG_*"),
        Field("sizeRange", \.sizeRange, "The range of sizes; missing where the driver lists each."),
        Field("sizes", \.sizes, "The sizes that the driver lists."),
        Field("asked", \.asked, "The sizes that were asked about, if the driver gives a range or lists none."),
    ]
}

/// The range of sizes of a pixel format (`V4L2_FRMSIZE_TYPE_STEPWISE`).
package struct RecordedRange: Hashable, Codable, WireObject {
    package var minimum: FrameSize
    package var maximum: FrameSize
    package var step: FrameSize

    /// A range of these parts.
    package init(minimum: FrameSize, maximum: FrameSize, step: FrameSize) {
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
    }

    package static let summary = "A range of sizes."
    package static let fields: [Field] = [
        Field("minimum", \.minimum),
        Field("maximum", \.maximum),
        Field("step", \.step),
    ]
}

/// What a driver answers about one size of a pixel format (`VIDIOC_ENUM_FRAMEINTERVALS`, `VIDIOC_TRY_FMT`).
package struct RecordedSize: Hashable, Codable, WireObject {
    package var size: FrameSize
    package var intervals: [Fraction]?
    package var hasIntervalRange: Bool?
    package var tried: RecordedPicture?

    /// A size of which no more is known.
    package init(_ size: FrameSize) { self.size = size }

    package static let summary = "The driver's answers about one size of a pixel format."
    package static let fields: [Field] = [
        Field("size", \.size, "The size that was asked about."),
        Field(
            "intervals",
            \.intervals,
            "The intervals in the driver's order; of a range its minimum, maximum and step."
        ),
        Field(
            "hasIntervalRange",
            \.hasIntervalRange,
            "Whether the intervals are a range; missing where they are listed."
        ),
        Field(
            "tried",
            \.tried,
            "The answer to VIDIOC_TRY_FMT for this format and size; missing if refused or not asked."
        ),
    ]
}
