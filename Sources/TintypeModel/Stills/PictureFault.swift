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
