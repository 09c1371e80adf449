// SPDX-License-Identifier: Apache-2.0

/// The names that cameras have in the configuration, in the API and as folders of the spool.
package enum CameraName {
    /// What to give in place of a name that is none, as a sentence.
    package static let remedy = "Use 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit."

    /// Whether `name` is 1 to 64 of `a-z`, `0-9`, `.`, `_` and `-`, the first a letter or a digit.
    package static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, isLetterOrDigit(first), bytes.count <= 64 else { return false }
        return bytes.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
