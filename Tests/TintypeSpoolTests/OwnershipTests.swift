// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct OwnershipTests {
    private let folder = SpoolFolder()

    /// Returns owner, group and mode as stat(1) prints them.
    private func status(_ path: String) throws -> String {
        String(try shellOutput("stat", "-c", "%u:%g %a", path).dropLast())
    }

    @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
    func `files and folders belong to the configured user and group`() async throws {
        var configuration = folder.configuration
        (configuration.folderMode, configuration.fileMode) = (0o770, 0o660)
        configuration.ownership = Ownership(owner: 1234, group: 4321)
        let spool = try await SpoolStore.open(configuration)
        let path = try #require(try await spool.store(still(), durability: .full, until: soon).path)
        for name in ["", "/.incoming", "/door", "/door/2026", "/door/2026/11", "/door/2026/11/21"] {
            #expect(try status(folder.path + name) == "1234:4321 770", "\(name)")
        }
        let files = ["/.lock", "/catalog.sqlite", "/catalog.sqlite-wal"].map { folder.path + $0 }
        for file in files + [path] { #expect(try status(file) == "1234:4321 660", "\(file)") }
        #expect(try status(folder.path + "/door/latest.jpg").hasPrefix("1234:4321 "))
    }

    @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
    func `a new file is private until it has its owner`() throws {
        try folder.makeFolder()
        let files = SystemFiles(root: folder.path, ownership: Ownership(owner: 1234, group: 4321))
        let paths = (0..<2000).map { "\(folder.path)/f\($0)" }
        let watcher = NameWatcher(paths)
        defer { watcher.end() }
        for path in paths { try files.close(try files.create(path, mode: 0o664)) }
        // The mode is set last but one: the group is already set by then.
        let seen = watcher.all()
        #expect(seen.count == paths.count)
        let wrong = seen.filter { $0.mode != 0o600 && ($0.mode != 0o664 || $0.group != 4321) }
        #expect(wrong.isEmpty, "\(wrong.count) of \(seen.count)")
        // The owner is set before the first byte, not at close.
        let file = try files.create("\(folder.path)/last", mode: 0o604)
        #expect(try status("\(folder.path)/last") == "1234:4321 604")
        try files.close(file)
    }

    @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
    func `a new folder appears with its owner and mode`() throws {
        try folder.makeFolder(".incoming")
        let files = SystemFiles(root: folder.path, ownership: Ownership(owner: 1234, group: 4321))
        let paths = (0..<300).map { "\(folder.path)/f\($0)" }
        let watcher = NameWatcher(paths)
        defer { watcher.end() }
        for path in paths { try files.makeFolder(path, mode: 0o753) }
        let seen = Set(watcher.all())
        #expect(seen == [NameWatcher.Sight(mode: 0o753, owner: 1234, group: 4321)], "\(seen)")
        #expect(try folder.names(in: ".incoming").isEmpty)
    }

    @Test func `rejects an unknown user or group by name`() throws {
        for (owner, group) in [("no-such-user", nil), (nil, "no-such-group")] as [(String?, String?)] {
            let problem = #expect(throws: Problem.self) { try Ownership(owner: owner, group: group) }
            #expect(problem?.code == .spoolUnavailable)
            #expect(problem?.detail.contains(owner ?? group ?? "?") == true)
        }
        #expect(try Ownership(owner: "root", group: "0") == Ownership(owner: 0, group: 0))
        #expect(try Ownership(owner: nil as String?, group: nil as String?) == Ownership())
    }
}

/// A thread that waits for each name in turn and records its status at its first appearance.
private final class NameWatcher: Sendable {
    struct Sight: Hashable, Sendable {
        let mode: UInt32
        let owner: UInt32
        let group: UInt32
    }

    private let seen = Mutex<[Sight]>([])
    private let isOver = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ paths: [String]) {
        Thread.detachNewThread { [self] in
            for path in paths {
                var status = stat()
                while unsafe lstat(path, &status) != 0 {
                    if isOver.withLock(\.self) { return }
                }
                // The kernel reads group and mode separately, and a change may come in between: the group is read again
                // after the mode.
                let mode = status.st_mode & 0o7777
                unsafe lstat(path, &status)
                let sight = Sight(mode: mode, owner: status.st_uid, group: status.st_gid)
                seen.withLock { $0.append(sight) }
            }
            ended.signal()
        }
    }

    /// Waits until all names have appeared.
    func all() -> [Sight] {
        ended.wait()
        return seen.withLock(\.self)
    }

    func end() { isOver.withLock { $0 = true } }
}
