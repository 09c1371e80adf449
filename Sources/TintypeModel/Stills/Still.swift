// SPDX-License-Identifier: Apache-2.0

/// A picture together with its record.
package struct Still: Sendable {
    /// What is known of it.
    package var record: StillRecord
    /// The JPEG file.
    package var picture: [UInt8]

    /// A still of these parts.
    package init(record: StillRecord, picture: [UInt8]) {
        self.record = record
        self.picture = picture
    }
}
