// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TintypeSpool

/// Files on a disk that can stop answering: fdatasync then returns only after ``unblock()``.
final class StuckFiles: FileLayer {
    let files = SystemFiles()
    private let isBlocked = Mutex(false)
    private let gate = DispatchSemaphore(value: 0)

    func block() { isBlocked.withLock { $0 = true } }

    func unblock() {
        isBlocked.withLock { $0 = false }
        gate.signal()
    }

    func syncData(of file: OpenFile) throws(FileError) {
        if isBlocked.withLock(\.self) { gate.wait() }
        try files.syncData(of: file)
    }
}
