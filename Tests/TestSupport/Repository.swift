// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Locations of this repository and of the programs built from it.
package enum Repository {
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder with `tintyped` and `tintype`: `TINTYPE_TEST_BINARIES`, else the one that holds the test bundle.
    package static let programs: URL = {
        if let folder = ProcessInfo.processInfo.environment["TINTYPE_TEST_BINARIES"], !folder.isEmpty {
            return URL(filePath: folder)
        }
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map { URL(filePath: $0) }
        return (bundle ?? own).deletingLastPathComponent()
    }()

    /// The text of a file with this path in the repository.
    package static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
}
