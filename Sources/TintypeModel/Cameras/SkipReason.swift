// SPDX-License-Identifier: Apache-2.0

/// Reason why a captured frame was not used for a still.
package enum SkipReason: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable, WireType {
    /// The driver set `V4L2_BUF_FLAG_ERROR`.
    case flagged
    /// `bytesused` is less than the format needs.
    case short
    /// The bytes are not a complete JPEG picture, or encoding failed.
    case corrupt
    /// The picture is black, and `reject` excludes black pictures.
    case black
    /// The picture is a single colour, and `reject` excludes uniform pictures.
    case uniform
    /// The picture equals the previous one, and `reject` excludes frozen pictures.
    case frozen
    /// A newer frame was already queued.
    case superseded
    /// Exposed before the requested time.
    case stale
    /// The start of exposure is unknown and may be before the requested time.
    case undated
    /// Exposure and white balance had not settled.
    case unsettled
    /// Captured while earlier frames of the same burst were still being encoded or stored.
    case overrun
}
