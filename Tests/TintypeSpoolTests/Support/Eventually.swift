// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

/// Waits until `condition` holds; notes a failure if it does not within `limit`, scaled.
func eventually(
    _ comment: Comment,
    within limit: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) async throws {
    let end = MonotonicTime.now() + limit * Waiting.scale
    while try !condition() {
        guard MonotonicTime.now() < end else {
            Issue.record(comment, sourceLocation: sourceLocation)
            return
        }
        // A loop without a pause would take the processor from what it waits for.
        try await Task.sleep(for: .milliseconds(1))
    }
}
