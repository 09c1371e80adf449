// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Where the programs under test and this repository are.
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
    /// Debian's own, which has Pillow.
    static let python = "/usr/bin/python3"
    /// The top of the repository.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}
