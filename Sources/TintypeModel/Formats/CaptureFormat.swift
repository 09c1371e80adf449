// SPDX-License-Identifier: Apache-2.0

/// Pixel format, size and rate of a camera (`VIDIOC_S_FMT`, `VIDIOC_S_PARM`).
package struct CaptureFormat: Hashable, Codable, WireObject, CustomStringConvertible {
    package var pixelFormat: FourCC
    package var size: FrameSize
    /// Nil if the driver does not support frame intervals.
    package var interval: FrameInterval?

    package init(pixelFormat: FourCC, size: FrameSize, interval: FrameInterval?) {
        (self.pixelFormat, self.size, self.interval) = (pixelFormat, size, interval)
    }

    package static let summary = "Pixel format, size and rate."
    package static let fields: [Field] = [
        Field("pixelFormat", \.pixelFormat, "The four characters of V4L2, as in YUYV."),
        Field("width", of: Int.schema, "Pixels a row.", .positive, isRequired: true),
        Field("height", of: Int.schema, "Rows.", .positive, isRequired: true),
        Field("interval", \.interval),
        Field("rate", of: Double.schema, "Frames a second.", ["exclusiveMinimum": 0]),
    ]

    /// Text such as `YUYV:1280x720@30`.
    package var description: String { "\(pixelFormat):\(size)" + (interval.map { "@\($0)" } ?? "") }

    private enum CodingKeys: String, CodingKey { case pixelFormat, interval, rate }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        pixelFormat = try container.decode(FourCC.self, forKey: .pixelFormat)
        size = try FrameSize(from: decoder)
        interval = try container.decodeIfPresent(FrameInterval.self, forKey: .interval)
    }

    /// Encodes the flat wire form; `rate` is derived from `interval` and ignored by the decoder.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pixelFormat, forKey: .pixelFormat)
        try size.encode(to: encoder)
        try container.encodeIfPresent(interval, forKey: .interval)
        try container.encodeIfPresent(interval?.rate, forKey: .rate)
    }
}
