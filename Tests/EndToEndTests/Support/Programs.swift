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

    /// Code block after the line `<!-- run: NAME -->` of a document, without its language tag.
    static func block(_ name: String, of document: String) throws -> String {
        let text = try Repository.text(document)
        let part = try #require(text.components(separatedBy: "<!-- run: \(name) -->\n```").dropFirst().first)
        let lines = part.components(separatedBy: "\n```")[0].split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropFirst().joined(separator: "\n")
    }
}
