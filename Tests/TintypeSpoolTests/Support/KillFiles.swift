// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import TintypeSpool

/// The machine's files, and a copy of the spool as it lies there right before one call: what a SIGKILL at that moment
/// would leave.
final class KillFiles: FileLayer {
    private struct State {
        var calls: [String] = []
        var isTaken = false
    }

    let files = SystemFiles()
    private let folder: SpoolFolder
    private let index: Int
    private let state = Mutex(State())
    /// The copy, if there was a call of that index.
    let left: SpoolFolder

    /// Copies `folder` right before the call `index`, from 0.
    init(of folder: SpoolFolder, at index: Int) throws {
        self.folder = folder
        self.index = index
        left = try SpoolFolder()
    }

    /// The calls that were made.
    var calls: [String] { state.withLock(\.calls) }
    /// Whether there was a call of that index.
    var isTaken: Bool { state.withLock(\.isTaken) }

    private func step(_ call: String) throws(FileError) {
        let isNow = state.withLock { state in
            state.calls.append(call)
            return state.calls.count - 1 == index
        }
        guard isNow else { return }
        do {
            try FileManager.default.copyItem(atPath: folder.path, toPath: left.path)
            state.withLock { $0.isTaken = true }
        } catch {
            throw FileError("copy the spool for", call, code: 5)
        }
    }

    func status(of path: String, following: Bool) throws(FileError) -> FileStatus? {
        try step("look at \(path)")
        return try files.status(of: path, following: following)
    }
    func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        try step("make \(path)")
        try files.makeFolder(path, mode: mode)
    }
    func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile {
        try step("create \(path)")
        return try files.create(path, mode: mode)
    }
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try step("write \(file.path)")
        try files.write(bytes, to: file)
    }
    func move(_ path: String, to other: String) throws(FileError) {
        try step("rename \(path)")
        try files.move(path, to: other)
    }
    func replace(_ other: String, by path: String) throws(FileError) {
        try step("replace \(other)")
        try files.replace(other, by: path)
    }
    func syncFolder(_ path: String) throws(FileError) {
        try step("flush \(path)")
        try files.syncFolder(path)
    }
    func remove(_ path: String) throws(FileError) {
        try step("remove \(path)")
        try files.remove(path)
    }
    func makeLink(_ path: String, to target: String) throws(FileError) {
        try step("link \(path)")
        try files.makeLink(path, to: target)
    }
    func names(in folder: String) throws(FileError) -> [String] {
        try step("list \(folder)")
        return try files.names(in: folder)
    }
    func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try step("read \(path)")
        return try files.read(path, atMost: limit)
    }
}

extension KillFiles {
    /// Does `work` on copies of `origin`, each of them killed right before another call, and returns how many calls there
    /// are.
    ///
    /// `expect` gets what each kill has left, once it was opened again, and each spool that was not killed.
    static func killAtEachCall(
        of origin: SpoolFolder,
        retention: RetentionSettings = RetentionSettings(),
        _ work: (Spool) async throws -> Void,
        expect: (SpoolFolder, Comment) throws -> Void
    ) async throws -> Int {
        var index = 0
        while true {
            let folder = try origin.copy()
            var configuration = folder.configuration
            configuration.retention = retention
            let files = try KillFiles(of: folder, at: index)
            let spool = try await Spool.open(configuration, logger: quiet, files: files, until: soon)
            try await work(spool)
            await spool.close(until: soon)
            try expect(folder, "not killed")
            guard files.isTaken else { return index }
            let again = try await files.left.open()
            await again.close(until: soon)
            try expect(files.left, "killed before \(files.calls[index])")
            index += 1
        }
    }
}
