// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

/// Where tests may make disks and file systems of their own.
enum Disks {
    /// A folder in a machine that nobody else uses: `TINTYPE_TEST_DISKS`.
    static let folder = ProcessInfo.processInfo.environment["TINTYPE_TEST_DISKS"]
}

/// Where the programs under test and this repository are.
enum Programs {
    /// The folder with `tintyped`: `TINTYPE_TEST_BINARIES`, else the one that holds the test bundle.
    static let folder: String = {
        if let folder = ProcessInfo.processInfo.environment["TINTYPE_TEST_BINARIES"], !folder.isEmpty { return folder }
        return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    }()
    /// The top of the repository.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
}

extension Trait where Self == ConditionTrait {
    static var requiresDisks: Self {
        .enabled(
            if: Disks.folder != nil,
            "dm-log-writes and loop devices are in the virtual machine, where TINTYPE_TEST_DISKS names a folder"
        )
    }
}
