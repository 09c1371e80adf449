// SPDX-License-Identifier: Apache-2.0
import TintypeDevice
import TintypeModel

/// A thread that may block, for the devices of one test: each device is created and used on one.
final class DeviceStage: ThreadOwned {
    var descriptor: CInt { -1 }
    var awaited: Int16 { 0 }
    var deadline: MonotonicTime? { nil }
    func turn(_ events: Int16, asleepSince asleep: MonotonicTime) {}

    /// Runs `body` on a new device thread as part of the test's task.
    static func perform<R: Sendable, E: Error>(_ body: @escaping @Sendable () throws(E) -> R) async throws(E) -> R {
        let thread = CameraThread(name: "tt-stage") { DeviceStage() }
        try? thread.start()
        defer { thread.stop() }
        let result = await thread.run { _ in Result { () throws(E) in try body() } }
        guard let result else { preconditionFailure("the thread of the test does not run") }
        return try result.get()
    }
}
