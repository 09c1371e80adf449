// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import TintypeDevice

/// What a watcher has told, in order.
final class ChangeRecorder: Sendable {
    private let changes = Mutex<[NodeChange]>([])
    var all: [NodeChange] { changes.withLock { $0 } }
    func add(_ changes: [NodeChange]) { self.changes.withLock { $0 += changes } }
    func forget() { changes.withLock { $0 = [] } }

    /// Whether `change` is told in time.
    func hears(_ change: NodeChange) async -> Bool { await Waiting.eventually { self.all.contains(change) } }
}
