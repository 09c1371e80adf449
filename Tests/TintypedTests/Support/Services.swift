// SPDX-License-Identifier: Apache-2.0
import ServiceLifecycle
import ServiceLifecycleTestKit
import TestSupport

/// Runs services during `body`, then shuts them down gracefully.
func running(_ services: [any Service], _ body: @escaping @Sendable () async throws -> Void) async throws {
    try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await service.run() } }
            defer { trigger.triggerGracefulShutdown() }
            try await body()
        }
    }
}

/// Returns true once `isSo` holds, and false after a minute of ``TestClock``.
func reaches(_ isSo: () async throws -> Bool) async rethrows -> Bool {
    try await TestClock().reaches(within: .seconds(60), isSo)
}
