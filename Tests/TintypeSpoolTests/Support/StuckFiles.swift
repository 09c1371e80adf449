// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TintypeSpool

/// Files on a disk that can stop answering: fdatasync then returns only after ``unblock()``.
final class StuckFiles: FileLayer {
    private struct State {
        var isBlocked = false
        var waiting = 0
    }

    let files = SystemFiles()
    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    /// How many calls do not return now.
    var waiting: Int { state.withLock(\.waiting) }

    func block() { state.withLock { $0.isBlocked = true } }

    func unblock() {
        let waiting = state.withLock { state in
            state.isBlocked = false
            defer { state.waiting = 0 }
            return state.waiting
        }
        for _ in 0..<waiting { gate.signal() }
    }

    func syncData(of file: OpenFile) throws(FileError) {
        let isBlocked = state.withLock { state in
            if state.isBlocked { state.waiting += 1 }
            return state.isBlocked
        }
        if isBlocked { gate.wait() }
        try files.syncData(of: file)
    }
}
