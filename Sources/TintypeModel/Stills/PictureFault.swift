// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a picture.
package enum PictureFault: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// The driver flagged its buffer (`V4L2_BUF_FLAG_ERROR`).
    case flagged
    /// The buffer holds fewer bytes than a picture of the format has (`bytesused`).
    case short
    /// The buffer has the number (`sequence`) of the one before it: a frame that came in two pieces, or one twice.
    case repeated
    /// The driver may have written a later frame into the buffer while it was copied.
    case overwritten
    /// The bytes are no JPEG picture, or its segments do not follow on each other.
    case notJPEG
    /// The JPEG picture ends before its EOI marker.
    case truncated
    /// The JPEG picture is of another size than the driver granted.
    case size
    /// The entropy-coded data cannot be decoded without a warning.
    case entropy
}

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
package struct PictureTolerance: Equatable, Codable, WireObject {
    package var quirk: PictureQuirk
    package var since: Timestamp
    package var frames: Int

    /// A tolerance of these parts.
    package init(quirk: PictureQuirk, since: Timestamp, frames: Int) {
        self.quirk = quirk
        self.since = since
        self.frames = frames
    }

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

/// What was found of how whole a picture is.
package enum Verdict: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// All that can be checked was, and nothing is wrong.
    case intact
    /// Its segments are sound from the first to the last; its entropy-coded data was not decoded.
    case sound
    /// Something is wrong with it that this camera's pictures always have wrong.
    case tolerated
    /// Something is wrong with it; such a picture is only given to a client that asks for ``Integrity/raw``.
    case damaged
}
