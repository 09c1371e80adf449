// SPDX-License-Identifier: Apache-2.0

/// A picture as `GET /v1/cameras/{camera}/still.jpg` brings it, with what its header says of it.
package struct Picture: Hashable, Sendable {
    /// What the header says; its JSON has the keys of a still's record.
    package var record: PictureRecord
    /// The JPEG file.
    package var jpeg: [UInt8]

    /// A picture of these parts.
    package init(record: PictureRecord, jpeg: [UInt8]) {
        self.record = record
        self.jpeg = jpeg
    }
}
