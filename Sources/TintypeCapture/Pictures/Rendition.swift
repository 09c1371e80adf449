// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
package import TintypeModel

/// What a frame has to be like to be taken.
package struct PictureStandard: Hashable, Sendable {
    /// How whole it has to be.
    package var integrity: Integrity
    /// What it must not look like.
    package var reject: Set<Appearance> = []

    /// The first of these that a frame looks like; nil where none is.
    package func rejection(of appearance: [Appearance]) -> Appearance? { appearance.first(where: reject.contains) }
}

/// One way to make a picture of a frame: clients that want the same one of the same frame share it.
package struct Rendition: Hashable, Sendable {
    /// What is made of the frame.
    package var rendering: StillRendering
    /// The JPEG quality where a picture is compressed and `rendering` asks for none.
    package var usualQuality: Int
    /// What the frame has to be like for it.
    package var standard: PictureStandard
    /// How many frames in a row make the picture: 1 for the frame alone.
    package var average: Int
    /// How a text is written into it.
    package var style: OverlayStyle
    /// Whether it is one picture of a stream: it has no EXIF data and is not looked at, unless that is needed to reject it.
    package var isStreamed: Bool
    /// The picture of several frames that this is a part of; nil where it is the whole picture.
    package private(set) var part: FrameAverage?

    /// A rendition of these parts.
    package init(
        _ rendering: StillRendering,
        integrity: Integrity,
        reject: Set<Appearance> = [],
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
        // What differs in nothing that is seen is the same.
        self.style = rendering.overlay == nil ? OverlayStyle() : style
    }

    /// How whole the frame has to be for it.
    package var integrity: Integrity { standard.integrity }

    /// Whether it is told of a frame that it shows nothing, or nothing new.
    var isLookedAt: Bool { integrity != .raw && (!isStreamed || !standard.reject.isEmpty) }

    /// The JPEG quality.
    var quality: Int { rendering.quality ?? usualQuality }

    /// The same as a part of a picture of several frames.
    package func part(of average: FrameAverage) -> Rendition {
        var rendition = self
        rendition.part = average
        return rendition
    }
}

/// What was made of a frame.
package struct RenderedPicture: Sendable {
    /// The JPEG file.
    package var jpeg: [UInt8]
    /// The size of the picture.
    package var size: FrameSize
    /// How whole the frame is that it was made of.
    package var verdict: Verdict
    /// What is wrong with that frame, each once.
    package var faults: [PictureFault] = []

    /// What the camera said of itself in the picture that it was made of; nil where it said nothing.
    var camera: CameraExif?

    /// Whether the frame that it was made of shows anything; nil where judging it did not tell.
    var emptiness: Emptiness?

    /// How it was made of interlaced video; nil for whole pictures.
    package var deinterlaced: Deinterlacing?
    /// What the driver said of the colours of the frame; nil for the camera's own JPEG.
    package var signal: ColorSignal?

    /// The id that its EXIF data has; nil while it has none of ours.
    package var describedAs: FrameID?
}
