// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import TintypeModel

/// Polling by the machine's clock, for changes by other threads, processes and drivers that nobody reports.
///
/// There is no limit, because duration says nothing about correctness. Tests/Support/test ends a run in which no test
/// ends for ten minutes, and the log names the pending condition. ``TestClock/reaches(within:_:)`` is for conditions on
/// a ``TestClock``.
package enum Waiting {
    /// Interval of the lines that name a pending condition.
    fileprivate static let reminder = Duration.seconds(30)
}

/// Polls every `interval` until `answer` is not nil, and returns its value.
///
/// - Throws: Errors of `answer`, and `CancellationError` in a cancelled task.
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
        // A loop without a pause would take the processor from the awaited work.
        try await Task.sleep(for: interval)
    }
}

/// Polls every `interval` until `isSo` holds.
///
/// - Throws: Errors of `isSo`, and `CancellationError` in a cancelled task.
package func eventually(
    _ what: @autoclosure () -> String,
    every interval: Duration = .milliseconds(1),
    _ isSo: () async throws -> Bool
) async throws {
    let _: Bool = try await eventually(what(), every: interval) { try await isSo() ? true : nil }
}

extension Duration {
    /// Deadline of a request whose deadline is not under test: the longest for a still.
    package static let patience = Duration.seconds(600)
}

/// Deadline that no test reaches, on any clock: 36 years after boot.
package let soon = MonotonicTime(nanoseconds: 1 << 60)

/// Deadline in the past on any clock.
package let past = MonotonicTime(nanoseconds: 0)
