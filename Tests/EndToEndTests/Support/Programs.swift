// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing

/// Locations of the programs under test and of this repository.
enum Programs {
    static let folder = Repository.programs
    static let repository = Repository.folder
    static var daemon: String { folder.appending(path: "tintyped").path }
    static var command: String { folder.appending(path: "tintype").path }
    /// Debian's Python, which has Pillow.
    static let python = "/usr/bin/python3"

    /// Code block after the line `<!-- run: NAME -->` of a document.
    static func block(_ name: String, of document: String) throws -> String {
        try #require(try Document(document).blocks.first { $0.name == name }, "\(document): no block \(name)").text
    }
}
