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

    /// Waits until `change` is reported.
    func awaits(_ change: NodeChange) async throws { try await eventually("\(change)") { self.all.contains(change) } }
}
