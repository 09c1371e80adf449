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

/// Pixel format of a device and its sizes (`VIDIOC_ENUM_FMT`).
package struct FormatDescription: Hashable, Codable, WireObject {
    package var pixelFormat: FourCC
    package var name: String
    package var isSupported: Bool
    /// True if libv4l emulates the format (`V4L2_FMT_FLAG_EMULATED`).
    package var isEmulated: Bool
    package var sizes: [FrameSizeDescription]

    package init(pixelFormat: FourCC, name: String, isEmulated: Bool = false, sizes: [FrameSizeDescription]) {
        (self.pixelFormat, self.name) = (pixelFormat, name)
        isSupported = FourCC.supported.contains(pixelFormat)
        (self.isEmulated, self.sizes) = (isEmulated, sizes)
    }

    package static let summary = "One pixel format that a device offers."
    package static let fields: [Field] = [
        Field("pixelFormat", \.pixelFormat, "The four characters of V4L2."),
        Field("name", \.name, "The driver's own name for it."),
        Field("isSupported", \.isSupported, "Whether stills can be made from it."),
        Field("isEmulated", \.isEmulated, "Whether libv4l produces it and not the device."),
        Field("sizes", \.sizes, "The sizes; empty where the driver does not say."),
    ]
}

/// Discrete size or range of sizes of a pixel format (`VIDIOC_ENUM_FRAMESIZES`).
package struct FrameSizeDescription: Hashable, Codable, WireObject {
    /// Equal to ``maximum`` for a discrete size.
    package var minimum: FrameSize
    package var maximum: FrameSize
    package var step: FrameSize?
    package var intervals: [FrameInterval]
    package var hasIntervalRange = false

    package init(size: FrameSize, intervals: [FrameInterval], hasIntervalRange: Bool = false) {
        self.init(minimum: size, maximum: size, step: nil, intervals: intervals)
        self.hasIntervalRange = hasIntervalRange
    }

    package init(minimum: FrameSize, maximum: FrameSize, step: FrameSize?, intervals: [FrameInterval]) {
        (self.minimum, self.maximum, self.step, self.intervals) = (minimum, maximum, step, intervals)
    }

    /// Nearest size to `wish`; the larger of two equally near ones.
    package func nearest(to wish: FrameSize) -> FrameSize {
        sizes(around: wish).min { left, right in
            (wish.distance(to: left), right.area) < (wish.distance(to: right), left.area)
        } ?? maximum
    }

    /// Sizes adjacent to `wish`; for a range every combination of the next smaller and larger width and height.
    package func sizes(around wish: FrameSize) -> [FrameSize] {
        guard let step else { return [maximum] }
        let widths = Self.steps(around: wish.width, minimum.width, maximum.width, step.width)
        let heights = Self.steps(around: wish.height, minimum.height, maximum.height, step.height)
        return widths.flatMap { width in heights.map { FrameSize(width: width, height: $0) } }
    }

    private static func steps(around wish: Int, _ low: Int, _ high: Int, _ step: Int) -> [Int] {
        let step = max(1, step)
        let last = max(0, high - low) / step
        let below = min(max(0, wish - low) / step, last)
        let exact = low + below * step >= wish || below == last
        return (exact ? [below] : [below, below + 1]).map { low + $0 * step }
    }

    package static let summary = "One size, or one range of sizes."
    package static let fields: [Field] = [
        Field("minimum", \.minimum),
        Field("maximum", \.maximum),
        Field("step", \.step, "The steps between sizes; missing for a discrete size."),
        Field("intervals", \.intervals, "Shortest first."),
        Field("hasIntervalRange", \.hasIntervalRange, "Whether all intervals from first to last are available."),
    ]
}

package struct FormatList: Equatable, Codable, WireObject {
    package var formats: [FormatDescription]
    package init(formats: [FormatDescription]) { self.formats = formats }
    package static let summary = "The formats that a camera offers, in the driver's order."
    package static let fields: [Field] = [Field("formats", \.formats, "The formats.")]
}

/// Time between frames as a fraction of a second (`v4l2_fract`): 1/30 is 30 frames per second.
package struct FrameInterval: Hashable, Codable, WireObject, CustomStringConvertible {
    package var numerator: UInt32
    package var denominator: UInt32

    /// Nil if either is zero (drivers without a rate), and above one hour or below one millisecond (faulty drivers).
    package init?(numerator: UInt32, denominator: UInt32) {
        guard numerator > 0, denominator > 0 else { return nil }
        guard UInt64(numerator) <= 3600 * UInt64(denominator) else { return nil }
        guard UInt64(denominator) <= 1000 * UInt64(numerator) else { return nil }
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// A rate of 0 becomes 1.
    package init(framesPerSecond rate: UInt32) {
        numerator = 1
        denominator = max(1, rate)
    }

    /// Parses `30`, `29.97` or `30000/1001` frames per second; nil outside one per hour to 1000 per second.
    package init?(rate text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let frames = UInt32(parts[0]), let seconds = UInt32(parts[1]) {
            self.init(numerator: seconds, denominator: frames)
        } else if parts.count == 1, let whole = UInt32(text) {
            self.init(numerator: 1, denominator: whole)
        } else if parts.count == 1, let rate = Double(text), rate > 0, rate <= 1000 {
            self.init(numerator: 1000, denominator: UInt32((rate * 1000).rounded()))
        } else {
            return nil
        }
        guard rate <= 1000 else { return nil }
    }

    /// Frames per second.
    package var rate: Double { Double(denominator) / Double(numerator) }
    /// Truncated to nanoseconds.
    package var duration: Duration { .nanoseconds(Int64(numerator) * 1_000_000_000 / Int64(denominator)) }
    package static let summary = "The time from one frame to the next, as a fraction of a second."
    package static let fields: [Field] = [
        Field("numerator", \.numerator, "Seconds, times the denominator.", .positive),
        Field("denominator", \.denominator, "At least 1.", .positive),
    ]

    package var description: String {
        let hundredths = Int((rate * 100).rounded())
        guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction % 10 == 0 ? fraction / 10 : fraction)"
    }
}

package struct FrameSize: Hashable, Codable, WireObject, CustomStringConvertible {
    package var width: Int
    package var height: Int
    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Parses `1280x720`; each side is 1 to 65535.
    package init?(_ text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = UInt16(sides[0]), let height = UInt16(sides[1]), width > 0, height > 0
        else { return nil }
        self.init(width: Int(width), height: Int(height))
    }

    package var area: Int { width * height }
    /// Sum of the differences in width and height, in pixels.
    package func distance(to other: FrameSize) -> Int { abs(width - other.width) + abs(height - other.height) }
    package static let summary = "Width and height in pixels."
    package static let fields: [Field] = [
        Field("width", \.width, "Pixels a row.", .positive),
        Field("height", \.height, "Rows.", .positive),
    ]

    package var description: String { "\(width)x\(height)" }
}

/// Part of the picture that a device delivers (`V4L2_SEL_TGT_CROP`), in pixels from the top left.
package struct CropRectangle: Hashable, Sendable, TextCodable, WireType {
    package var size: FrameSize
    package var left: Int
    package var top: Int
    package init(size: FrameSize, left: Int, top: Int) { (self.size, self.left, self.top) = (size, left, top) }

    /// Parses `640x480+100+50`: size, left and top; also with spaces for `+`, which they are in a query.
    package init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { "+ ".contains($0) }.map(String.init)
        guard parts.count == 3, let size = FrameSize(parts[0]), let left = UInt16(parts[1]), let top = UInt16(parts[2])
        else { return nil }
        self.init(size: size, left: Int(left), top: Int(top))
    }

    package var description: String { "\(size)+\(left)+\(top)" }
    package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
        ("is not a rectangle.", SettingText.crop)
    }
}
