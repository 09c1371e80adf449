// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport

/// Values noted by any thread, in order.
final class Recorder<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])

    var values: [Value] { kept.withLock(\.self) }

    func add(_ value: Value) { kept.withLock { $0.append(value) } }

    /// Suspends until there are `count` values.
    func wait(forCount count: Int) async throws {
        try await eventually("\(count) values") { self.values.count >= count }
    }
}
