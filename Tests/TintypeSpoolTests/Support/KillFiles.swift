// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import TintypeSpool

/// The machine's files, and copies of a spool as it lies there right before each call: what a SIGKILL at that moment would
/// leave.
///
/// For calls that come one after the other. Where nothing has changed since the call before, one copy is that of both.
final class KillFiles: FileLayer {
    private struct State {
        var isStarted = false
        var calls = 0
        var contents: [String: Data] = [:]
        var kills: [(call: String, left: SpoolFolder)] = []
    }

    let files = SystemFiles()
    private let folder: SpoolFolder
    private let state = Mutex(State())

    /// Copies `folder` from ``start()`` on.
    init(of folder: SpoolFolder) { self.folder = folder }

    func start() { state.withLock { $0.isStarted = true } }

    /// How many calls were made since ``start()``.
    var calls: Int { state.withLock(\.calls) }
    /// The calls before which the spool was another than before, and what it was.
    var kills: [(call: String, left: SpoolFolder)] { state.withLock(\.kills) }

    func begin(_ call: FileCall) throws(FileError) {
        do {
            try state.withLock { state in
                guard state.isStarted else { return }
                state.calls += 1
                let present = try contents()
                guard present != state.contents else { return }
                state.contents = present
                state.kills.append(("\(call.verb) \(call.path)", try folder.copy()))
            }
        } catch {
            throw FileError("copy the spool for", call.path, code: 5)
        }
    }

    /// The bytes of all files and links, but for the index of the catalog's log, of which a kill leaves nothing.
    private func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where !name.hasSuffix("-shm") {
            let path = "\(folder.path)/\(name)"
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            contents[name] = link.map { Data($0.utf8) } ?? (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        }
        return contents
    }
}

extension KillFiles {
    /// Does `work` on a copy of `origin`, and returns how many calls it makes, with the opening and the closing.
    ///
    /// `expect` gets what a kill before each of them leaves, once it was opened again, and what is left without one.
    static func killAtEachCall(
        of origin: SpoolFolder,
        _ work: (Spool) async throws -> Void,
        expect: (SpoolFolder, Comment) throws -> Void
    ) async throws -> Int {
        let folder = try origin.copy()
        let files = KillFiles(of: folder)
        files.start()
        let spool = try await Spool.open(folder.configuration, files: files)
        try await work(spool)
        await spool.close(until: soon)
        try expect(folder, "not killed")
        for (call, left) in files.kills {
            try await left.restart()
            try expect(left, "killed before: \(call)")
        }
        #expect(files.kills.count > 9)
        return files.calls
    }
}
