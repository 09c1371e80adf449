// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeModel

@testable import tintyped

struct CameraRecoveryTests {
    @Test func `failures during a command, and a camera that works, do not start another`() async throws {
        let (clock, lines) = (TestClock(), LineRecorder())
        let (failures, feed) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let runs = Recorder<Int>()
        let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let isFirst = Mutex(true)
        let recovery = CameraRecovery(
            configuration: RecoverConfiguration(command: ["/bin/true"], after: 2, pause: .seconds(60)),
            failures: failures,
            clock: clock,
            logger: lines.logger
        ) { count in
            runs.add(count)
            guard isFirst.withLock({ exchange(&$0, with: false) }) else { return (.ok, "It ended with 0.") }
            await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
            return (.failed, "It ended with 3.")
        }
        try await running([recovery]) {
            for count in 1...2 {
                feed.yield(count)
                await clock.settle()
            }
            try await eventually("the command runs") { gate.withLock { $0 != nil } }
            try await clock.sleep(for: .seconds(70))
            for count in 3...9 { feed.yield(count) }
            #expect(runs.values == [2])
            gate.withLock { $0.take() }?.resume()
            try await clock.sleep(for: .seconds(59))
            feed.yield(10)
            try await clock.sleep(for: .seconds(2))
            for count in [0, 1] {
                feed.yield(count)
                await clock.settle()
            }
            #expect(runs.values == [2])
            feed.yield(2)
            try await eventually("it is logged") { lines.lines.contains { $0.contains("has run") } }
        }
        #expect(runs.values == [2, 2])
        let failed = "the recovery command failed: It ended with 3. failures=2"
        #expect(lines.lines.contains { $0.hasPrefix("<4>") && $0.contains(failed) })
    }
}
