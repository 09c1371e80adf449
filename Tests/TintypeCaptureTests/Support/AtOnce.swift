// SPDX-License-Identifier: Apache-2.0

/// Results of `count` concurrent calls of `body`.
func atOnce<R: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> R) async throws -> [R] {
    try await withThrowingTaskGroup(of: R.self) { group in
        for index in 0..<count { group.addTask { try await body(index) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
