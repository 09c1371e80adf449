// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import TintypeSpool

/// The machine's files with copies of a spool taken right before each call, as a SIGKILL at that moment would leave it.
///
/// For sequential calls. An unchanged spool is copied only once.
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

    /// Number of calls since ``start()``.
    var calls: Int { state.withLock(\.calls) }
    /// Calls before which the spool had changed, with the copies.
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

    /// Returns the bytes of all files and links except the -shm file, of which a kill leaves nothing.
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
    /// Runs `work` on a copy of `origin` and returns the number of calls, including opening and closing.
    ///
    /// Calls `expect` with the reopened result of a kill before each call, and with the result without a kill.
    static func killAtEachCall(
        of origin: SpoolFolder,
        _ work: (SpoolStore) async throws -> Void,
        expect: (SpoolFolder, Comment) throws -> Void
    ) async throws -> Int {
        let folder = try origin.copy()
        let files = KillFiles(of: folder)
        files.start()
        let spool = try await SpoolStore.open(folder.configuration, files: files)
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
