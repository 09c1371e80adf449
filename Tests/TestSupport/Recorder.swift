// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Values recorded by any thread, in order.
package final class Recorder<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])

    package init() {}

    package var values: [Value] { kept.withLock(\.self) }

    package func add(_ value: Value) { add([value]) }

    package func add(_ values: [Value]) { kept.withLock { $0 += values } }

    package func forget() { kept.withLock { $0 = [] } }

    /// Suspends until there are `count` values.
    package func wait(forCount count: Int) async throws {
        try await eventually("\(count) values") { self.values.count >= count }
    }
}

extension Recorder where Value: Equatable {
    /// Suspends until `value` was recorded.
    package func wait(for value: Value) async throws {
        try await eventually("\(value)") { self.values.contains(value) }
    }
}
