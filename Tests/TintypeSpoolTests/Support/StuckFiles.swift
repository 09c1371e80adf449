// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TestSupport
internal import TintypeSpool

/// Files on a disk that can stop answering: fdatasync then returns only after ``unblock()``.
final class StuckFiles: FileLayer {
    let files = SystemFiles()
    private let gate = Mutex<Gate?>(nil)
    private let count = Atomic(0)

    /// How many calls have come to a disk that did not answer.
    var waiting: Int { count.load(ordering: .relaxed) }

    func block() { gate.withLock { $0 = Gate() } }

    func unblock() { gate.withLock { $0.take() }?.open() }

    func begin(_ call: FileCall) {
        guard call.verb == "flush", let gate = gate.withLock(\.self) else { return }
        count.add(1, ordering: .relaxed)
        gate.wait()
    }
}
