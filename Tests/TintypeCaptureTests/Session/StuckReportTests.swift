// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeSystem

@testable import TintypeCapture

/// Report of a hanging driver call by a client, while the call returns.
struct StuckReportTests {
    /// Calls `atWarning` at each warning.
    private final class Log: Sendable {
        let atWarning = Mutex<@Sendable () -> Void>({})

        var logger: Logger { Logger(label: "test") { [self] _ in Handler(owner: self) } }

        private struct Handler: LogHandler {
            let owner: Log
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.trace

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                if event.level == .warning { owner.atWarning.withLock(\.self)() }
            }
        }
    }

    @Test func `states are sent again although the call returns while it is reported`() async throws {
        let (told, log, gate, clock) = (ToldEvents(), Log(), Gate(), TestClock())
        let hub = FrameHub(clock: clock, camera: "yard", tell: told.tell)
        let context = CameraContext(
            name: "yard",
            hub: hub,
            encoding: EncodingThreads(count: 1, clock: clock),
            ring: nil,
            motion: nil,
            logger: log.logger,
            clock: clock,
            tolerances: ToleranceBook(),
            tell: told.tell
        ) { (_) throws(DeviceError) in throw DeviceError.absent(path: "/dev/none") }
        // Any running call hangs.
        let limit = Duration.zero - .nanoseconds(1)
        let calls = context.calls
        log.atWarning.withLock { hook in
            hook = { [weak context] in
                gate.open()
                while calls.stuck(longerThan: limit) != nil { sched_yield() }
                context?.reportReturn()
            }
        }
        let thread = WorkerThreads<Void>(name: "tt-yard", count: 1) {}
        thread.submit { _ in calls.during(.dequeue) { _ = gate.wait() } }
        try await eventually("it hangs") { calls.stuck(longerThan: limit) != nil }
        #expect(context.stuckProblem(after: limit)?.code == .driverStuck)
        hub.enter(.running)
        hub.enter(.off)
        let states = told.all.filter { $0.kind == .cameraState }.compactMap { $0.state?.name }
        #expect(states == [.failed, .off, .running, .off])
        withExtendedLifetime(thread) {}
    }
}
