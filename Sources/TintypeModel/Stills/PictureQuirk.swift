// SPDX-License-Identifier: Apache-2.0

/// Something that the pictures of some cameras always have wrong, and that leaves every block of them readable.
package enum PictureQuirk: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// There is no EOI marker, and nothing else is missing (``PictureFault/truncated``).
    case missingEnd
    /// Between the last block and the EOI marker there are bytes that belong to nothing (``PictureFault/entropy``).
    case surplusBytes
    /// libturbojpeg warns of something, though every block is there (``PictureFault/entropy``).
    case decoderWarning
}

/// A quirk that was seen so often in a camera's pictures that it is taken as the camera's way.
package struct PictureTolerance: Hashable, Sendable, Codable {
    package var quirk: PictureQuirk
    package var since: Timestamp
    package var frames: Int

    /// A tolerance of these parts.
    package init(quirk: PictureQuirk, since: Timestamp, frames: Int) {
        self.quirk = quirk
        self.since = since
        self.frames = frames
    }
}

extension PictureTolerance: WireObject {
    package static let summary = """
        A fault that at least 95 % of a camera's frames had, at least 20 of them over at least two seconds, and that \
        leaves every block of the picture readable.
        """

    package static let fields: [Field] = [
        Field(
            "quirk",
            \.quirk,
            """
            missingEnd: the EOI marker is missing. surplusBytes: there are surplus bytes between the last block and \
            EOI. decoderWarning: libturbojpeg warns although every block is there.
            """
        ),
        Field("since", \.since, "The time at which the fault was recognised."),
        Field("frames", \.frames, "The number of frames that had it.", .notNegative),
    ]
}
