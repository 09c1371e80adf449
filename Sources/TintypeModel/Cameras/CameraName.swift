// SPDX-License-Identifier: Apache-2.0

/// Names of cameras in the configuration, in the API and as folders of the spool.
package enum CameraName {
    package static let remedy = "Use 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit."

    /// True if `name` is 1 to 64 of `a-z`, `0-9`, `.`, `_` and `-` and begins with a letter or a digit.
    package static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, isLetterOrDigit(first), bytes.count <= 64 else { return false }
        return bytes.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
    }

    /// Only element of `names`; throws `camera-not-found` with the remedy `plugging` for none, or `camera-ambiguous`
    /// with that of `naming` for the first of several.
    package static func only(
        of names: [String],
        orElse plugging: String,
        _ naming: (String) -> String
    ) throws(Problem) -> String {
        guard let first = names.first else {
            throw Problem(.cameraNotFound, "tintyped has no camera.", remedy: plugging)
        }
        guard names.count > 1 else { return first }
        let detail = "There are \(names.count) cameras: \(names.joined(separator: ", "))."
        throw Problem(.cameraAmbiguous, detail, remedy: naming(first))
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
