// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
package import TintypeModel

package struct PictureStandard: Hashable, Sendable {
    package var integrity: Integrity
    /// Appearances that disqualify a frame.
    package var reject: Set<ImageDefect> = []

    /// First of the appearances that disqualifies a frame, if any.
    package func rejection(of appearance: [ImageDefect]) -> ImageDefect? { appearance.first(where: reject.contains) }
}

/// Parameters for making a picture of a frame; clients with equal options of a frame share the picture.
package struct EncodingOptions: Hashable, Sendable {
    /// Geometry, quality and overlay requested by the client.
    package var rendering: ImageOptions
    /// JPEG quality if `rendering` sets none.
    package var usualQuality: Int
    package var standard: PictureStandard
    /// Number of consecutive frames to average; 1 for a single frame.
    package var average: Int
    package var style: OverlayStyle
    /// True for pictures of a video stream: without EXIF data, and analysed only if required for rejection.
    package var isStreamed: Bool
    /// The average that this options contributes to; nil for a complete picture.
    package private(set) var part: FrameAverage?

    package init(
        _ rendering: ImageOptions,
        integrity: Integrity,
        reject: Set<ImageDefect> = [],
        usualQuality: Int = StillRequest.defaultQuality,
        average: Int = 1,
        style: OverlayStyle = OverlayStyle(),
        isStreamed: Bool = false
    ) {
        self.rendering = rendering
        self.usualQuality = usualQuality
        standard = PictureStandard(integrity: integrity, reject: reject)
        self.average = average
        self.isStreamed = isStreamed
        // Ignore the style without an overlay, so that equal pictures are shared.
        self.style = rendering.overlay == nil ? OverlayStyle() : style
    }

    package var integrity: Integrity { standard.integrity }

    /// True if the picture is analysed for black, uniform and frozen contents.
    var isLookedAt: Bool { integrity != .raw && (!isStreamed || !standard.reject.isEmpty) }

    var quality: Int { rendering.quality ?? usualQuality }

    package func part(of average: FrameAverage) -> EncodingOptions {
        var options = self
        options.part = average
        return options
    }
}

package struct RenderedPicture: Sendable {
    package var jpeg: [UInt8]
    package var size: FrameSize
    package var verdict: Verdict
    /// Faults of the source frame, without repeats.
    package var faults: [PictureFault] = []
    /// EXIF data in the camera's own JPEG picture, if any.
    var camera: CameraExif?
    /// Nil if inspection did not determine it.
    var emptiness: BlankCheck?
    /// Deinterlacing method applied; nil for progressive pictures.
    package var deinterlaced: Deinterlacing?
    /// Colour signal reported by the driver; nil for the camera's own JPEG.
    package var signal: ColorSignal?
    /// Id in the EXIF data; nil before tintype has written any.
    package var describedAs: FrameID?
}
