// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TintypeSpool

/// The machine's files, whose flushes are counted, and of which the first flush of a folder can be held up.
final class GatedFiles: FileLayer {
    private struct State {
        var fileFlushes = 0
        var folderFlushes: [String: Int] = [:]
        var isHeld = false
    }

    let files = SystemFiles()
    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    /// Flushes of files since ``hold()``.
    var fileFlushes: Int { state.withLock(\.fileFlushes) }
    /// Flushes of each folder since ``hold()``.
    var folderFlushes: [String: Int] { state.withLock(\.folderFlushes) }

    /// Holds the next flush of a folder up until ``release()``; counts from now on.
    func hold() { state.withLock { $0 = State(isHeld: true) } }

    func release() { gate.signal() }

    func syncData(of file: OpenFile) throws(FileError) {
        try files.syncData(of: file)
        state.withLock { $0.fileFlushes += 1 }
    }

    func syncFolder(_ path: String) throws(FileError) {
        let isHeld = state.withLock { state in
            state.folderFlushes[path, default: 0] += 1
            defer { state.isHeld = false }
            return state.isHeld
        }
        if isHeld { gate.wait() }
        try files.syncFolder(path)
    }
}
