// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

package struct PictureStandard: Hashable, Sendable {
    package var integrity: Integrity
    /// Defects that disqualify a frame.
    package var reject: Set<ImageDefect> = []
}

/// Parameters for making an image of a frame; subscribers with equal options share the image.
package struct EncodingOptions: Hashable, Sendable {
    /// Geometry, quality and overlay requested by the client.
    package var image: ImageOptions
    /// JPEG quality if `image` sets none.
    package var usualQuality: Int
    package var standard: PictureStandard
    /// Number of consecutive frames to average; 1 for a single frame.
    package var average: Int
    package var style: OverlayStyle
    /// True for pictures of a video stream: without EXIF data, and analysed only if required for rejection.
    package var isStreamed: Bool
    /// The average that the image contributes to; nil for a complete image.
    package private(set) var part: FrameAverage?

    package init(
        _ image: ImageOptions,
        integrity: Integrity,
        reject: Set<ImageDefect> = [],
        usualQuality: Int = StillRequest.defaultQuality,
        average: Int = 1,
        style: OverlayStyle = OverlayStyle(),
        isStreamed: Bool = false
    ) {
        (self.image, self.usualQuality, self.average, self.isStreamed) = (image, usualQuality, average, isStreamed)
        standard = PictureStandard(integrity: integrity, reject: reject)
        // Ignore the style without an overlay, so that equal pictures are shared.
        self.style = image.overlay == nil ? OverlayStyle() : style
    }

    package var integrity: Integrity { standard.integrity }

    /// True if the picture is analysed for black, uniform and frozen contents.
    var isAnalysed: Bool { integrity != .raw && (!isStreamed || !standard.reject.isEmpty) }
    var quality: Int { image.quality ?? usualQuality }

    package func part(of average: FrameAverage) -> EncodingOptions {
        var options = self
        options.part = average
        return options
    }
}
