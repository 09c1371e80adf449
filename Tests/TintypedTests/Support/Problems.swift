// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

/// Problem thrown by `body`, or an issue if there is none.
func problem<Value>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async -> Problem? {
    await #expect(throws: Problem.self, sourceLocation: sourceLocation) { _ = try await body() }
}
