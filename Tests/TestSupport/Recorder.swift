// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Values noted by any thread, in order.
package final class Recorder<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])

    /// Nothing is noted yet.
    package init() {}

    /// All values.
    package var values: [Value] { kept.withLock(\.self) }

    /// Notes a value.
    package func add(_ value: Value) { add([value]) }

    /// Notes several values.
    package func add(_ values: [Value]) { kept.withLock { $0 += values } }

    /// Begins anew, without values.
    package func forget() { kept.withLock { $0 = [] } }

    /// Suspends until there are `count` values.
    package func wait(forCount count: Int) async throws {
        try await eventually("\(count) values") { self.values.count >= count }
    }
}

extension Recorder where Value: Equatable {
    /// Suspends until `value` is among them.
    package func wait(for value: Value) async throws {
        try await eventually("\(value)") { self.values.contains(value) }
    }
}
