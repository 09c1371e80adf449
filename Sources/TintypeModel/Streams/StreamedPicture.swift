// SPDX-License-Identifier: Apache-2.0

/// One picture of a stream.
package struct StreamedPicture: Hashable, Sendable {
    /// The JPEG file.
    package var jpeg: [UInt8]
    /// The driver's number of the frame; nil for a placeholder.
    package var sequence: UInt32?
    /// When its exposure began; of a placeholder, when it was drawn.
    package var capturedAt: Timestamp
    /// How long ago that was when it was handed out.
    package var age: Duration
    /// Why it is a drawn picture and none of the camera; nil for one of the camera.
    package var placeholder: ProblemCode?

    /// A picture of these parts.
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
