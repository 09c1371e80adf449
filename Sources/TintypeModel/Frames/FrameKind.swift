// SPDX-License-Identifier: Apache-2.0

package enum FrameKind: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case still
    /// Film of stored stills.
    case film
    /// Recording of consecutive frames.
    case clip

    /// Types of files by the ends of their names.
    private static let mediaTypes = ["jpg": "image/jpeg", "mp4": "video/mp4", "mkv": "video/x-matroska"]

    /// Media type of a stored file (RFC 6838).
    package static func mediaType(of path: String) -> String {
        mediaTypes[String(path.split(separator: ".").last ?? "")] ?? "application/octet-stream"
    }
}

/// A stored file that is read in parts; any thread.
package struct StoredFile: Sendable {
    package let mediaType: String
    package let bytes: Int
    /// All bytes, of a file that was read whole.
    package let whole: [UInt8]?
    /// Throws `spool-unavailable`, `deadline-exceeded`, and `frame-not-found` if the file has gone meanwhile.
    package let read: @Sendable (Range<Int>) async throws(Problem) -> [UInt8]

    package init(
        mediaType: String,
        bytes: Int,
        read: @escaping @Sendable (Range<Int>) async throws(Problem) -> [UInt8]
    ) {
        (self.mediaType, self.bytes, self.read) = (mediaType, bytes, read)
        whole = nil
    }

    /// A file that was read whole.
    package init(mediaType: String, _ bytes: [UInt8]) {
        (self.mediaType, self.bytes, whole) = (mediaType, bytes.count, bytes)
        read = { range throws(Problem) in Array(bytes[range]) }
    }

    /// Largest part to read at a time.
    package static let part = 256 << 10
}
