// SPDX-License-Identifier: Apache-2.0

/// One pixel format that a device offers, with its sizes (`VIDIOC_ENUM_FMT`).
package struct FormatDescription: Hashable, Sendable, Codable {
    /// The pixel format.
    package var pixelFormat: FourCC
    /// The driver's own name for it.
    package var name: String
    /// Whether stills can be made from it.
    package var isSupported: Bool
    /// Whether it is produced by libv4l and not by the device (`V4L2_FMT_FLAG_EMULATED`).
    package var isEmulated: Bool
    /// The sizes (`VIDIOC_ENUM_FRAMESIZES`); empty where the driver does not say.
    package var sizes: [FrameSizeDescription]

    /// A description of these parts.
    package init(
        pixelFormat: FourCC,
        name: String,
        isSupported: Bool,
        isEmulated: Bool,
        sizes: [FrameSizeDescription]
    ) {
        self.pixelFormat = pixelFormat
        self.name = name
        self.isSupported = isSupported
        self.isEmulated = isEmulated
        self.sizes = sizes
    }
}

/// One size, or one range of sizes, of a pixel format (`VIDIOC_ENUM_FRAMESIZES`).
package struct FrameSizeDescription: Hashable, Sendable, Codable {
    /// The smallest size; equal to ``maximum`` for a discrete one.
    package var minimum: FrameSize
    /// The largest size.
    package var maximum: FrameSize
    /// The steps between sizes, in pixels; 1x1 for a continuous range, nil for a discrete size.
    package var step: FrameSize?
    /// The intervals at this size, at the largest of a range (`VIDIOC_ENUM_FRAMEINTERVALS`); empty where the driver
    /// does not say.
    ///
    /// Shortest first. For a range of intervals its two ends.
    package var intervals: [FrameInterval]

    /// One discrete size.
    package init(size: FrameSize, intervals: [FrameInterval]) {
        minimum = size
        maximum = size
        step = nil
        self.intervals = intervals
    }

    /// A range of sizes.
    package init(minimum: FrameSize, maximum: FrameSize, step: FrameSize, intervals: [FrameInterval]) {
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.intervals = intervals
    }

    /// The size of this description that is nearest to `wish` (equal where it can be).
    package func nearest(to wish: FrameSize) -> FrameSize {
        guard let step else { return maximum }
        return FrameSize(
            width: Self.clamp(wish.width, minimum.width, maximum.width, step.width),
            height: Self.clamp(wish.height, minimum.height, maximum.height, step.height)
        )
    }

    private static func clamp(_ wish: Int, _ low: Int, _ high: Int, _ step: Int) -> Int {
        let step = max(1, step)
        let steps = (min(max(wish, low), high) - low + step / 2) / step
        return min(low + steps * step, low + (high - low) / step * step)
    }
}
