// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct ConfigurationError: Error, Hashable, Sendable {
    /// The faults, in the order of the file; at least one.
    var faults: [ConfigurationFault]

    /// The exit status of a daemon that cannot use its configuration: `EX_CONFIG` of sysexits.h.
    static let exitStatus: Int32 = 78
}

extension ConfigurationError: CustomStringConvertible {
    var description: String { faults.map(\.description).joined(separator: "\n") }
}

struct ConfigurationFault: Hashable, Sendable {
    var file: String
    /// Where in the file; nil where the whole file is meant.
    var place: Place?
    /// The key that is meant, such as `cameras.front.rate`; nil where none is.
    var key: String?
    var detail: String
    var remedy: String

    /// A place in a file, as editors count: both from 1.
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
        // Keys and values are any text, and this goes to a terminal.
        return PrintableText.line("\(file)\(position): " + (key.map { "\($0): " } ?? "") + "\(detail) \(remedy)")
    }
}
