// SPDX-License-Identifier: Apache-2.0
import ServiceLifecycle
import ServiceLifecycleTestKit

/// Runs services of a daemon while `body` looks, then stops them gracefully.
func running(_ services: [any Service], _ body: @escaping @Sendable () async throws -> Void) async throws {
    try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await service.run() } }
            defer { trigger.triggerGracefulShutdown() }
            try await body()
        }
    }
}
