// SPDX-License-Identifier: Apache-2.0
import TintypeDevice

/// A thread that may block, for the calls of one test's device: every device is made and used on one.
actor DeviceStage {
    private nonisolated let thread = DeviceThread(name: "tt-stage")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    deinit { thread.stop() }

    private func run<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R { try body() }

    /// Runs `body` on a device thread of its own, as part of the test's task.
    static func perform<R: Sendable>(_ body: @Sendable () throws -> R) async rethrows -> R {
        try await DeviceStage().run(body)
    }
}
