// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

/// Locations of the programs under test and of this repository.
enum Programs {
    /// The folder with `tintyped` and `tintype`: `TINTYPE_TEST_BINARIES`, else the one that holds the test bundle.
    static let folder: URL = {
        if let folder = ProcessInfo.processInfo.environment["TINTYPE_TEST_BINARIES"], !folder.isEmpty {
            return URL(filePath: folder)
        }
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map { URL(filePath: $0) }
        return (bundle ?? own).deletingLastPathComponent()
    }()

    static var daemon: String { folder.appending(path: "tintyped").path }
    static var command: String { folder.appending(path: "tintype").path }
    /// Debian's Python, which has Pillow.
    static let python = "/usr/bin/python3"

    /// Code block after the line `<!-- run: NAME -->` of a document, without its language tag.
    static func block(_ name: String, of document: String) throws -> String {
        let text = try String(contentsOf: repository.appending(path: document), encoding: .utf8)
        let part = try #require(text.components(separatedBy: "<!-- run: \(name) -->\n```").dropFirst().first)
        let lines = part.components(separatedBy: "\n```")[0].split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropFirst().joined(separator: "\n")
    }

    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}
