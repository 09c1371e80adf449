// SPDX-License-Identifier: Apache-2.0

/// Picture of a live stream.
package struct StreamedPicture: Hashable, Sendable {
    /// JPEG file.
    package var jpeg: [UInt8]
    /// `sequence` of `v4l2_buffer`; nil for a placeholder.
    package var sequence: UInt32?
    /// Start of exposure; for a placeholder, the time of drawing.
    package var capturedAt: Timestamp
    /// Time from ``capturedAt`` to the delivery of the picture.
    package var age: Duration
    /// Reason for a placeholder; nil for a camera picture.
    package var placeholder: ProblemCode?

    package init(
        jpeg: [UInt8],
        sequence: UInt32?,
        capturedAt: Timestamp,
        age: Duration,
        placeholder: ProblemCode? = nil
    ) {
        self.jpeg = jpeg
        self.sequence = sequence
        self.capturedAt = capturedAt
        self.age = age
        self.placeholder = placeholder
    }
}
