// SPDX-License-Identifier: Apache-2.0

/// What reading all codes of a picture's scans has shown.
package enum JPEGScanFinding: Equatable, Sendable {
    /// Every block of the picture is there, and behind the last one a marker or nothing comes.
    ///
    /// `end` is the first byte behind the entropy-coded data.
    case whole(end: Int)
    /// Every block is there, and then come bytes that belong to nothing, up to the next marker.
    case surplus(bytes: Int)
    /// Something cannot be what an encoder wrote; the text says what, beginning with a small letter.
    case damaged(String)
    /// It is of a process that we do not read: progressive, arithmetic, or with more than 8 bits.
    case unread
}
