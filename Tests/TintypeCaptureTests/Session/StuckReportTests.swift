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
    @Test func `states are sent again although the call returns while it is reported`() async throws {
        let (told, log, gate, clock) = (ToldEvents(), MessageLog(), Gate(), TestClock())
        let context = CameraContext(
            name: "yard",
            configuration: SessionConfiguration(),
            encoding: EncodingThreads(count: 1, clock: clock),
            logger: log.logger,
            clock: clock,
            tolerances: ToleranceStore(),
            tell: told.tell
        ) { (_) throws(DeviceError) in throw DeviceError.absent(path: "/dev/none") }
        // Any running call hangs.
        let limit = Duration.zero - .nanoseconds(1)
        let calls = context.calls
        log.onLine.withLock { hook in
            hook = { [weak context] line in
                guard line.level == .warning else { return }
                gate.open()
                while calls.stuck(longerThan: limit) != nil { sched_yield() }
                context?.reportReturn()
            }
        }
        let thread = WorkerThreads<Void>(name: "tt-yard", count: 1) {}
        thread.submit { _ in calls.during(.dequeue) { _ = gate.wait() } }
        try await eventually("it hangs") { calls.stuck(longerThan: limit) != nil }
        #expect(context.stuckProblem(after: limit)?.code == .driverStuck)
        context.published.enter(.running)
        context.published.enter(.off)
        let states = told.all.filter { $0.kind == .cameraState }.compactMap { $0.state?.name }
        #expect(states == [.failed, .off, .running, .off])
        withExtendedLifetime(thread) {}
    }
}
