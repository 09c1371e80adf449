// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import TintypeModel

/// Polls for what other threads, processes and drivers do by the machine's clock, and nobody reports.
///
/// Without a limit: how long something takes says nothing about whether it works. A run in which no test ends for ten minutes is
/// ended from outside (Tests/Support/test), and what was waited for is in its log. What goes by a ``TestClock`` is waited for
/// with ``TestClock/reaches(within:_:)``.
package enum Waiting {
    /// Interval of the lines that name what is still waited for.
    fileprivate static let reminder = Duration.seconds(30)
}

/// Polls every `interval` until `answer` is not nil, and returns that.
///
/// - Throws: What `answer` throws, and `CancellationError` in a task that is cancelled.
package func eventually<Value: Sendable>(
    _ what: @autoclosure () -> String,
    every interval: Duration = .milliseconds(1),
    _ answer: () async throws -> Value?
) async throws -> Value {
    var next = MonotonicTime.now() + Waiting.reminder
    while true {
        if let value = try await answer() { return value }
        if MonotonicTime.now() > next {
            next = .now() + Waiting.reminder
            FileHandle.standardError.write(Data("still waiting for: \(what())\n".utf8))
        }
        // A loop without a pause would take the processor from what it waits for.
        try await Task.sleep(for: interval)
    }
}

/// Polls every `interval` until `isSo` holds.
///
/// - Throws: What `isSo` throws, and `CancellationError` in a task that is cancelled.
package func eventually(
    _ what: @autoclosure () -> String,
    every interval: Duration = .milliseconds(1),
    _ isSo: () async throws -> Bool
) async throws {
    let _: Bool = try await eventually(what(), every: interval) { try await isSo() ? true : nil }
}

extension Duration {
    /// The deadline of a request whose deadline is not what is tested: the longest that a still may have.
    package static let patience = Duration.seconds(600)
}

/// A deadline that no test reaches, by any clock: 36 years after the machine booted.
package let soon = MonotonicTime(nanoseconds: 1 << 60)

/// A deadline that has passed by any clock.
package let past = MonotonicTime(nanoseconds: 0)
