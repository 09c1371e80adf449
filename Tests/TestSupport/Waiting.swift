// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TintypeModel

/// How long tests wait.
///
/// Where nobody is told when something changes, they have to look until it has: for what other threads, processes and drivers
/// do by the machine's clock. What goes by a ``TestClock`` is waited for with ``TestClock/reaches(within:_:)``.
package enum Waiting {
    /// By how much the time limits are longer than on a machine of its own (`TINTYPE_TEST_SCALE`).
    package static let scale = max(1, Int(ProcessInfo.processInfo.environment["TINTYPE_TEST_SCALE"] ?? "") ?? 1)

    /// Whether `condition`, which is looked at each `interval`, comes true within `limit`, scaled; of a test that is
    /// cancelled, whether it is true then.
    ///
    /// A loop without a pause would take the processor from what it waits for.
    package static func eventually(
        within limit: Duration = .seconds(20),
        every interval: Duration = .milliseconds(1),
        _ condition: () async throws -> Bool
    ) async rethrows -> Bool {
        let end = MonotonicTime.now() + limit * scale
        while MonotonicTime.now() < end, !Task.isCancelled {
            if try await condition() { return true }
            try? await Task.sleep(for: interval)
        }
        return try await condition()
    }
}

/// A condition that did not come about in time.
package struct TimedOut: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Asks again and again until `answer` is not nil, and returns that; throws where that is not within `limit`, scaled.
package func eventually<Value: Sendable>(
    _ what: String,
    within limit: Duration = .seconds(20),
    every interval: Duration = .milliseconds(1),
    _ answer: () async throws -> Value?
) async throws -> Value {
    var value: Value?
    _ = try await Waiting.eventually(within: limit, every: interval) {
        value = try await answer()
        return value != nil
    }
    guard let value else { throw TimedOut(description: "Not within \(limit): \(what).") }
    return value
}

/// Asks again and again until `isSo` holds; throws where that is not within `limit`, scaled.
package func eventually(
    _ what: String,
    within limit: Duration = .seconds(20),
    every interval: Duration = .milliseconds(1),
    _ isSo: () async throws -> Bool
) async throws {
    let _: Bool = try await eventually(what, within: limit, every: interval) {
        try await isSo() ? true : nil
    }
}
