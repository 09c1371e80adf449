// SPDX-License-Identifier: Apache-2.0

package enum PictureFault: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// The driver set `V4L2_BUF_FLAG_ERROR`.
    case flagged
    /// `bytesused` is less than the format needs.
    case short
    /// `sequence` equals that of the previous buffer: a split or duplicated frame.
    case repeated
    /// The driver may have overwritten the buffer during the copy.
    case overwritten
    /// Not a JPEG picture, or its segments are inconsistent.
    case notJPEG
    /// The JPEG data ends before the EOI marker.
    case truncated
    /// The JPEG size differs from the granted format.
    case size
    /// Decoding the entropy-coded data produces a warning.
    case entropy
    /// Up to 16 surplus bytes before restart markers or EOI of complete entropy-coded data.
    case surplusBytes
}

/// Systematic fault of some cameras that leaves every block of the picture readable.
package enum PictureQuirk: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Only the EOI marker is missing (``PictureFault/truncated``).
    case missingEnd
    /// Up to 16 surplus bytes before restart markers or EOI (``PictureFault/surplusBytes``).
    case surplusBytes
    /// libturbojpeg warns although every block is present (``PictureFault/entropy``).
    case decoderWarning
    /// Up to 15 columns and rows more than the granted format (``PictureFault/size``).
    case largerSize
    /// True if the picture is put right without a doubt about its pixels, so that ``Integrity/strict`` accepts it too.
    package var isRepairable: Bool { self == .surplusBytes || self == .largerSize }
}

package struct PictureTolerance: Equatable, Codable, WireObject {
    package var quirk: PictureQuirk
    package var since: Timestamp
    package var frames: Int

    package init(quirk: PictureQuirk, since: Timestamp, frames: Int) {
        (self.quirk, self.since, self.frames) = (quirk, since, frames)
    }

    package static let summary = "A fault of at least 95 % of a camera's frames that leaves every block readable."
    package static let fields: [Field] = [
        Field(
            "quirk",
            \.quirk,
            """
            missingEnd: no EOI. surplusBytes: up to 16 too many, removed. decoderWarning: of libturbojpeg. largerSize: up \
            to 15 columns and rows too many, cropped losslessly. strict accepts surplusBytes and largerSize, too.
            """
        ),
        Field("since", \.since, "The time at which the fault was recognised."),
        Field("frames", \.frames, "The number of frames that had it.", .notNegative),
    ]
}

package enum Verdict: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// All possible checks passed.
    case intact
    /// The JPEG segments are valid; the entropy-coded data was not decoded.
    case sound
    /// Only faults that are normal for this camera.
    case tolerated
    /// Faulty; delivered only on request with ``Integrity/raw``.
    case damaged
}

/// Defect in the content of an intact picture: it may be useless.
package enum ImageDefect: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case black
    case uniform
    /// Equal to the previous picture, if that was examined, too; a live sensor never delivers this.
    case frozen

    /// Parses distinct words; nil if one is unknown or repeated.
    package static func parse(_ words: [String]) -> Set<ImageDefect>? {
        let defects = Set(words.compactMap(ImageDefect.init))
        return defects.count == words.count ? defects : nil
    }

    /// Black pictures have a 99th percentile of luma below this, of 255.
    package static let darkLuma = 48
    /// Luma span of uniform pictures without the extreme 1 % at both ends, of 255: above noise and JPEG artefacts.
    package static let evenSpan = 8
}

/// Time between the start of exposure of a frame and the driver's time stamp.
package enum StampLead: Hashable, Sendable {
    /// Derived from the driver's time stamp flags and the camera's exposure time and frame interval.
    case auto
    /// Measured value from the configuration: zero to ``longest``.
    case fixed(Duration)
    /// Older time stamps of a driver are not trusted.
    package static let longest = Duration.seconds(10)

    package init?(_ text: String) {
        if text == "auto" {
            self = .auto
        } else {
            guard let time = HumanDuration.parse(text), (.zero...Self.longest).contains(time) else { return nil }
            self = .fixed(time)
        }
    }
}

package enum LeadOrigin: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case assumed, configured
}

package enum TimestampSource: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Driver time stamp at the start of exposure (`V4L2_BUF_FLAG_TSTAMP_SRC_SOE`).
    case startOfExposure
    /// Driver time stamp at the end of the frame (`V4L2_BUF_FLAG_TSTAMP_SRC_EOF`), less exposure and readout.
    case endOfFrame
    /// Driver time stamp at the arrival of the first bytes (uvcvideo), less its lead.
    case arrival
    /// Time of VIDIOC_DQBUF; used if the driver's time stamp is not trusted.
    case dequeue
}
