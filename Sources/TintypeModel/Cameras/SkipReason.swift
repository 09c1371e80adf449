// SPDX-License-Identifier: Apache-2.0

/// Why a captured frame was passed over for a still.
package enum SkipReason: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable, WireType {
    /// The driver flagged the buffer as damaged (`V4L2_BUF_FLAG_ERROR`).
    case flagged
    /// The buffer holds fewer bytes than a picture of the format has (`bytesused`).
    case short
    /// The bytes are not a whole JPEG picture, or could not be encoded.
    case corrupt
    /// It was black, and `reject` asks for none that is.
    case black
    /// It had one brightness and one colour, and `reject` asks for none that has.
    case uniform
    /// It equalled the frame before it, and `reject` asks for none that does.
    case frozen
    /// A newer frame was already waiting behind it.
    case superseded
    /// It was exposed before the moment asked for.
    case stale
    /// Nothing tells when it was exposed, and it may have been before the moment asked for.
    case undated
    /// Exposure and white balance had not settled yet.
    case unsettled
    /// It came while earlier ones of the same burst were still being encoded or stored.
    case overrun
}
