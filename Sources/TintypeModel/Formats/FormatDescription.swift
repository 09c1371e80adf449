// SPDX-License-Identifier: Apache-2.0

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
