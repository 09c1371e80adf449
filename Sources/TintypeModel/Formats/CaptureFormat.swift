// SPDX-License-Identifier: Apache-2.0

/// What a camera delivers: pixel format, size and rate.
///
/// In V4L2: `VIDIOC_S_FMT` and `VIDIOC_S_PARM`.
package struct CaptureFormat: Hashable, Codable, WireObject {
    package var pixelFormat: FourCC
    package var size: FrameSize
    /// The time from one frame to the next; nil where the driver has no notion of it.
    package var interval: FrameInterval?

    /// A format of these parts.
    package init(pixelFormat: FourCC, size: FrameSize, interval: FrameInterval?) {
        self.pixelFormat = pixelFormat
        self.size = size
        self.interval = interval
    }

    package static let summary = "Pixel format, size and rate."
    package static let fields: [Field] = [
        Field("pixelFormat", \.pixelFormat, "The four characters of V4L2, as in YUYV."),
        Field("width", of: Int.schema, "Pixels a row.", .positive, isRequired: true),
        Field("height", of: Int.schema, "Rows.", .positive, isRequired: true),
        Field("interval", \.interval),
        Field("rate", of: Double.schema, "Frames a second.", ["exclusiveMinimum": 0]),
    ]
}

extension CaptureFormat: CustomStringConvertible {
    /// As in `YUYV:1280x720@30`.
    package var description: String { "\(pixelFormat):\(size)" + (interval.map { "@\($0)" } ?? "") }
}

extension CaptureFormat {
    private enum CodingKeys: String, CodingKey {
        case pixelFormat, width, height, interval, rate
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        pixelFormat = try container.decode(FourCC.self, forKey: .pixelFormat)
        size = FrameSize(
            width: try container.decode(Int.self, forKey: .width),
            height: try container.decode(Int.self, forKey: .height)
        )
        interval = try container.decodeIfPresent(FrameInterval.self, forKey: .interval)
    }

    /// Writes the flat wire form; `rate` (frames a second) is there for readers and derived from `interval`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pixelFormat, forKey: .pixelFormat)
        try container.encode(size.width, forKey: .width)
        try container.encode(size.height, forKey: .height)
        try container.encodeIfPresent(interval, forKey: .interval)
        try container.encodeIfPresent(interval?.rate, forKey: .rate)
    }
}
