// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

/// The problem with which `body` fails; an issue where it does not.
func problem<Value>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async -> Problem? {
    await #expect(throws: Problem.self, sourceLocation: sourceLocation) { _ = try await body() }
}
