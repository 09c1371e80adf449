// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct ConfigurationError: Error, Hashable, Sendable {
    /// In the order of the file; at least one.
    var faults: [ConfigurationFault]

    /// Exit status for an unusable configuration: `EX_CONFIG` of sysexits.h.
    static let exitStatus: Int32 = 78
}

extension ConfigurationError: CustomStringConvertible {
    var description: String { faults.map(\.description).joined(separator: "\n") }
}

struct ConfigurationFault: Hashable, Sendable {
    var file: String
    /// Nil for the whole file.
    var place: Place?
    /// Key, such as `cameras.front.rate`.
    var key: String?
    var detail: String
    var remedy: String

    /// Line and column in a file, both from 1.
    struct Place: Hashable, Sendable, Comparable {
        var line: Int
        var column: Int

        static func < (left: Place, right: Place) -> Bool { (left.line, left.column) < (right.line, right.column) }
    }
}

extension ConfigurationFault: CustomStringConvertible {
    /// One line.
    ///
    /// As in `/etc/tintype/tintyped.yaml:12:11: cameras.front.rate: "fast" is not a rate. Give frames a second.`
    var description: String {
        let position = place.map { ":\($0.line):\($0.column)" } ?? ""
        // Keys and values are arbitrary text, and the output may be a terminal.
        return PrintableText.line("\(file)\(position): " + (key.map { "\($0): " } ?? "") + "\(detail) \(remedy)")
    }
}
