// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Starts after a clean shutdown, which scan only what has changed.
@Suite struct ClosedInOrderTests {
    private static let days = (21...24).map { "door/2026/11/\($0)" }

    /// Returns a closed, reconciled spool with a picture on each of four days, and with old folders.
    private func filled() async throws -> (folder: SpoolFolder, files: AgedFiles, records: [StillRecord]) {
        let (folder, files) = (SpoolFolder(), AgedFiles())
        let spool = try await folder.open(files: files)
        let records = try await spool.fill((0..<4).map { $0 * 86_400 }, durability: .data)
        await spool.close(until: soon)
        try await start(folder, files)
        try await files.age(folder)
        return (folder, files, records)
    }

    /// Opens the spool, runs the daemon's start-up work and closes it; returns the days whose folders were listed.
    @discardableResult
    private func start(
        _ folder: SpoolFolder,
        _ files: AgedFiles,
        _ work: (SpoolStore) async throws -> Void = { _ in }
    ) async throws -> [String] {
        files.forgetListings()
        let spool = try await SpoolStore.open(folder.configuration, files: files)
        try await spool.keep()
        let listed = Self.days.filter { files.listings.contains("\(folder.path)/\($0)") }
        try await work(spool)
        await spool.close(until: soon)
        return listed
    }

    private func bootID() throws -> String {
        try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8).filter { !$0.isNewline }
    }

    private func lost(_ folder: SpoolFolder) throws -> [String] {
        try folder.sql("SELECT substr(path, 1, 15) FROM frame WHERE isLost ORDER BY path")
    }

    @Test func `a start after a clean shutdown scans no unchanged folder`() async throws {
        let (folder, files, records) = try await filled()
        let listed = try await start(folder, files) { spool in
            for record in records {
                let bytes = try await spool.picture(of: record.id, until: soon)
                #expect(bytes == picture)
            }
        }
        #expect(listed == [])
        #expect(try await start(folder, files) == [])
        #expect(try lost(folder) == [])
    }

    @Test func `finds files removed, added or truncated by hand`() async throws {
        let (folder, files, _) = try await filled()
        let pictures = try folder.pictures()
        try folder.remove(pictures[0])
        try folder.write(picture, to: "\(Self.days[1])/150000.000000Z-000000001.jpg")
        try folder.write([UInt8](picture.dropLast(9)), to: "\(Self.days[2])/150000.000000Z-000000001.jpg")
        #expect(try await start(folder, files) == Array(Self.days[..<3]))
        #expect(try lost(folder) == [Self.days[0]])
        #expect(try folder.sql("SELECT count(*) FROM frame WHERE source = 'reconcile'") == ["1"])
        #expect(try folder.names(in: ".quarantine").count == 1)
    }

    @Test func `detects folders moved away and back`() async throws {
        let (folder, files, _) = try await filled()
        let (month, away) = ("\(folder.path)/door/2026/11", "\(folder.path)/../away")
        try FileManager.default.moveItem(atPath: month, toPath: away)
        try await start(folder, files)
        #expect(try lost(folder) == Self.days)
        try FileManager.default.moveItem(atPath: away, toPath: month)
        #expect(try await start(folder, files) == Self.days)
        #expect(try lost(folder) == [])
    }

    @Test func `a start after SIGKILL scans everything`() async throws {
        let (folder, files, records) = try await filled()
        var copies: [SpoolFolder] = []
        try await start(folder, files) { spool in
            copies.append(try folder.copy())
            _ = try await spool.delete(.ids([records[1].id]), until: soon)
            _ = try await spool.store(still(3 * 86_400 + 1), durability: .none, until: soon)
            copies.append(try folder.copy())
        }
        for copy in copies {
            #expect(try !copy.names(in: "").contains(".catalog-clean"))
            let others = AgedFiles()
            try await others.age(copy)
            #expect(try await start(copy, others) == Self.days)
            #expect(try lost(copy) == [])
        }
    }

    @Test func `writes the clean-shutdown mark without a flush`() async throws {
        let (folder, _, _) = try await filled()
        let files = NotedFiles(folder.path)
        let spool = try await SpoolStore.open(folder.configuration, files: files)
        try await spool.keep()
        files.note()
        await spool.close(until: soon)
        #expect(try folder.names(in: "").contains(".catalog-clean") && files.flushed == [])
    }

    @Test(arguments: ["of another boot", "of a time to come", "of another catalog", "that says nothing", "on FAT"])
    func `ignores an invalid clean-shutdown mark`(_ why: String) async throws {
        let (folder, files, _) = try await filled()
        let name = ".catalog-clean"
        var text = String(decoding: try folder.bytes(name), as: UTF8.self)
        switch why {
        case "of another boot": text.replace(try bootID(), with: "3c1f0d52-0d5a-4d0e-9d55-6a8f5b0f7c11")
        case "of a time to come":
            text.replace(#/"moment":"[^"]*"/#, with: "\"moment\":\"\(Timestamp.now() + .seconds(3600))\"")
        case "of another catalog": try folder.sql("UPDATE frame SET tags = 'a'")
        case "that says nothing": text = "\n-9223372036854775808 7\n"
        default: files.kind.withLock { $0 = .fat(name: "FAT") }
        }
        try folder.write(Array(text.utf8), to: name)
        #expect(try await start(folder, files) == Self.days)
        files.kind.withLock { $0 = .dependable }
        try await files.age(folder)
        #expect(try await start(folder, files) == [])
    }

    @Test func `scans everything after a folder could not be read`() async throws {
        let (folder, files, _) = try await filled()
        try folder.write(picture, to: "\(Self.days[1])/150000.000000Z-000000001.jpg")
        files.refused.withLock { $0 = Self.days[1] }
        #expect(try await start(folder, files) == [Self.days[1]])
        files.refused.withLock { $0 = nil }
        #expect(try await start(folder, files) == Self.days)
        #expect(try folder.sql("SELECT count(*) FROM frame WHERE source = 'reconcile'") == ["1"])
    }

    @Test func `detects a picture truncated in place`() async throws {
        let (folder, files, records) = try await filled()
        try folder.write([1], to: try folder.pictures()[2])
        #expect(try folder.pictures().count == 4)
        try await start(folder, files) { spool in
            #expect(await problem { try await spool.picture(of: records[2].id, until: soon) }?.code == .corruptOnly)
        }
        try folder.write([1], to: try folder.pictures()[0])
        let spool = try await folder.open(files: files)
        await spool.close(until: soon)
        #expect(try lost(folder) == [Self.days[0], Self.days[2]])
    }
}

/// The machine's files, with folders unchanged since ``age(_:)`` reported as an hour older; records the listed folders.
private final class AgedFiles: FileLayer {
    private struct State {
        var times: [String: Timestamp] = [:]
        var listings: Set<String> = []
    }

    let files = SystemFiles()
    private let state = Mutex(State())

    var listings: Set<String> { state.withLock(\.listings) }
    let kind = Mutex(FileSystemKind.dependable)
    /// Path suffix of a folder that cannot be listed.
    let refused = Mutex<String?>(nil)

    func forgetListings() { state.withLock { $0.listings = [] } }

    /// Returns once a changed folder would get a new timestamp.
    func age(_ folder: SpoolFolder) async throws {
        var times: [String: Timestamp] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let path = "\(folder.path)/\(name)"
            if let status = try files.status(of: path, following: false), status.kind == .folder {
                times[path] = status.changedAt
            }
        }
        let newest = try #require(times.values.max())
        try await eventually("the clock of the files has gone on") {
            try folder.write([], to: "../probe")
            let status = try files.status(of: "\(folder.path)/../probe", following: false)
            return status.map { $0.changedAt > newest } ?? false
        }
        state.withLock { $0.times = times }
    }

    func status(of path: String, following: Bool) throws(FileError) -> FileStatus? {
        guard var status = try files.status(of: path, following: following) else { return nil }
        if state.withLock({ $0.times[path] == status.changedAt }) {
            status.changedAt = status.changedAt - .seconds(3600)
        }
        return status
    }

    func names(in folder: String) throws(FileError) -> [String] {
        state.withLock { _ = $0.listings.insert(folder) }
        if let name = refused.withLock(\.self), folder.hasSuffix(name) { throw FileError("list", folder, code: 13) }
        return try files.names(in: folder)
    }

    func kind(of path: String) throws(FileError) -> FileSystemKind { kind.withLock(\.self) }
}
