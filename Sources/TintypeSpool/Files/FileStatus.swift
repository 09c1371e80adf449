// SPDX-License-Identifier: Apache-2.0

/// The properties of a file (stat(2)).
package struct FileStatus: Hashable, Sendable {
    /// The kinds of files that the spool tells apart.
    package enum Kind: Hashable, Sendable {
        /// A regular file.
        case file
        /// A folder.
        case folder
        /// A symbolic link.
        case link
        /// A socket, a pipe or a device.
        case other
    }

    /// Its kind.
    package var kind: Kind
    /// Bytes of a regular file.
    package var size: Int
    /// The file system that it is on (`st_dev`).
    package var device: UInt64
}

/// A file that is open.
package struct OpenFile: Hashable, Sendable {
    /// The descriptor.
    package var descriptor: Int32
    /// Where it was opened.
    package var path: String
}
