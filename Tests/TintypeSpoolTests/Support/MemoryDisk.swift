// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

/// Memory file systems (tmpfs) mounted by tests.
enum MemoryDisk {
    /// True if this process may mount one: as root, unless a container forbids it.
    static let isAllowed: Bool = {
        let folder = SpoolFolder()
        guard geteuid() == 0, (try? mount(on: folder.path, "size=64k")) != nil else { return false }
        unmount(folder.path)
        return true
    }()

    /// Mounts one with these options on a new spool folder while `body` runs.
    static func mounted<Result>(_ options: String, _ body: (SpoolFolder) async throws -> Result) async throws -> Result
    {
        let folder = SpoolFolder()
        return try await mounted(on: folder.path, options) { try await body(folder) }
    }

    /// Mounts one on any folder while `body` runs; creates the folder if necessary.
    static func mounted<Result>(
        on path: String,
        _ options: String,
        _ body: () async throws -> Result
    ) async throws -> Result {
        try mount(on: path, options)
        defer { unmount(path) }
        return try await body()
    }

    /// Mounts one, to be unmounted by the test.
    static func mount(on path: String, _ options: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try shellOutput("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)
    }

    private static func unmount(_ path: String) {
        // Lazily: a spool left open by the test may still be on it.
        do { try shellOutput("umount", "-l", path) } catch { Issue.record(error, "\(path) stays mounted") }
    }
}

extension Trait where Self == ConditionTrait {
    static var requiresMounting: Self {
        .enabled(if: MemoryDisk.isAllowed, "mounting a tmpfs needs root and CAP_SYS_ADMIN")
    }
}
