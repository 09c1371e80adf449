// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// All that is wrong with a configuration file.
struct ConfigurationError: Error, Hashable, Sendable {
    /// The faults, in the order of the file; at least one.
    var faults: [ConfigurationFault]

    /// The exit status of a daemon that cannot use its configuration: `EX_CONFIG` of sysexits.h.
    static let exitStatus: Int32 = 78
}

extension ConfigurationError: CustomStringConvertible {
    /// One line for each fault.
    var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// One thing that is wrong with a configuration file.
struct ConfigurationFault: Hashable, Sendable {
    /// The path of the file.
    var file: String
    /// Where in the file; nil where the whole file is meant.
    var place: Place?
    /// The key that is meant, such as `cameras.front.rate`; nil where none is.
    var key: String?
    /// The fault, in one sentence.
    var detail: String
    /// The remedy, in one sentence.
    var remedy: String

    /// A place in a file, as editors count: both from 1.
    struct Place: Hashable, Sendable, Comparable {
        /// The line.
        var line: Int
        /// The character in the line.
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
