// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import TintypeModel

/// A condition that did not come about in time.
struct TimedOut: Error, CustomStringConvertible {
    let description: String
}

/// Asks again and again until `answer` is not nil, and returns that.
///
/// The limit is scaled (`Waiting.scale`).
func eventually<Value: Sendable>(
    _ what: String,
    within limit: Duration = .seconds(20),
    every interval: Duration = .milliseconds(2),
    _ answer: () async throws -> Value?
) async throws -> Value {
    let end = MonotonicTime.now() + limit * Waiting.scale
    while true {
        if let value = try await answer() { return value }
        guard MonotonicTime.now() < end else { throw TimedOut(description: "Not within \(limit): \(what).") }
        try await Task.sleep(for: interval)
    }
}

/// Asks again and again until `isSo` holds.
func eventually(
    _ what: String,
    within limit: Duration = .seconds(20),
    every interval: Duration = .milliseconds(2),
    _ isSo: () async throws -> Bool
) async throws {
    let _: Bool = try await eventually(what, within: limit, every: interval) { try await isSo() ? true : nil }
}
