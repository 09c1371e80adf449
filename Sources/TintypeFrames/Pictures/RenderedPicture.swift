// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
package import TintypeModel

/// What was made of a frame.
package struct RenderedPicture: Sendable {
    /// The JPEG file.
    package var jpeg: [UInt8]
    /// The size of the picture.
    package var size: FrameSize
    /// How whole the frame is that it was made of.
    package var verdict: Verdict
    /// What is wrong with that frame, each once.
    package var faults: [PictureFault]

    /// What the camera said of itself in the picture that it was made of; nil where it said nothing.
    var camera: CameraExif?

    /// Whether the frame that it was made of shows anything; nil where judging it did not tell.
    var emptiness: Emptiness?

    /// The id that its EXIF data has; nil while it has none of ours.
    package var describedAs: FrameID?

    /// A picture of these parts.
    package init(jpeg: [UInt8], size: FrameSize, verdict: Verdict, faults: [PictureFault] = []) {
        self.jpeg = jpeg
        self.size = size
        self.verdict = verdict
        self.faults = faults
    }
}
