// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A system call on a file that failed.
package struct FileError: Error, Hashable, Sendable {
    /// The operation that failed, as in "create" or "flush": a verb that takes the path as its object.
    package var operation: String
    /// The absolute path that it was attempted on.
    package var path: String
    /// The errno(3) of the failure.
    package var code: Int32

    /// The failure of `operation` on `path` with `code`.
    package init(_ operation: String, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }
}

extension FileError: CustomStringConvertible {
    /// One sentence, as in: Cannot create /spool/door: permission denied.
    package var description: String { "Cannot \(operation) \(path): \(ErrnoText.of(code))." }
}
