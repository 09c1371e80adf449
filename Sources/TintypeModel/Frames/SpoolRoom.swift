// SPDX-License-Identifier: Apache-2.0

/// What room the file system of a spool had when that was looked at last, at most a minute ago.
package struct SpoolRoom: Hashable, Sendable, Codable {
    package var freeBytes: Int
    package var totalBytes: Int
    package var minFreeBytes: Int

    /// The room of these parts.
    package init(freeBytes: Int, totalBytes: Int, minFreeBytes: Int = 0) {
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
        self.minFreeBytes = minFreeBytes
    }

    /// Whether the spool is about to be full: less than half of what retention keeps free is left or, where it keeps
    /// nothing free, less than 256 MiB and less than a twentieth of the file system.
    package var isLow: Bool {
        freeBytes < (minFreeBytes > 0 ? minFreeBytes / 2 : min(256 << 20, totalBytes / 20))
    }
}

extension SpoolRoom: WireObject {
    package static let summary = "The free space of the file system when it was last measured, at most a minute ago."

    package static let fields: [Field] = [
        Field("freeBytes", \.freeBytes, "Bytes that could be written.", .notNegative),
        Field("totalBytes", \.totalBytes, "Bytes of the whole file system.", .notNegative),
        Field("minFreeBytes", \.minFreeBytes, "Bytes that retention keeps free; 0 for none.", .notNegative),
    ]
}
