// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

struct WatchdogTests {
    /// A part that answers when the test has it answer.
    private final class Part: Sendable {
        private let asked = Mutex<[@Sendable () -> Void]>([])
        let isExcused = OnceFlag()

        /// How often it was asked.
        var count: Int { asked.withLock(\.count) }
        func answer() { asked.withLock(\.last)?() }

        var heartbeat: Heartbeat {
            Heartbeat(
                "the part",
                of: self,
                isExcused: { self.isExcused.isRaised },
                ask: { answer in self.asked.withLock { $0.append(answer) } }
            )
        }
    }

    private let lines = LineRecorder()
    private let clock = TestClock()

    private func watchdog(
        _ address: String?,
        _ interval: String? = "60000000",
        _ heartbeats: @escaping @Sendable () -> [Heartbeat]
    ) -> Watchdog {
        let notifier = ServiceNotifier(address: address, watchdog: interval, clock: clock, logger: lines.logger)
        return Watchdog(notifier, clock: clock, logger: lines.logger, heartbeats: heartbeats)
    }

    @Test func `systemd is told as long as the part has answered since the last look`() throws {
        let listener = try NotifyListener(address: "@tintyped-test-\(UUID().uuidString)")
        let part = Part()
        let watchdog = watchdog(listener.address) { [part.heartbeat] }
        watchdog.look()
        #expect(listener.received() == ["WATCHDOG=1"] && part.count == 1)
        part.answer()
        watchdog.look()
        #expect(listener.received() == ["WATCHDOG=1"] && part.count == 2)
        // It is silent: systemd hears nothing, the log names it once, and it is not asked again before it has answered.
        watchdog.look()
        watchdog.look()
        #expect(listener.received().isEmpty && part.count == 2)
        #expect(lines.lines == [#"<3>a part of the daemon does not answer part="the part""#])
        part.answer()
        watchdog.look()
        #expect(listener.received() == ["WATCHDOG=1"] && part.count == 3)
        #expect(lines.lines.last == #"<5>a part of the daemon answers again part="the part""#)
    }

    @Test func `a silent part that is excused, or that is no part any more, keeps nothing from systemd`() throws {
        let listener = try NotifyListener(address: "@tintyped-test-\(UUID().uuidString)")
        let (stuck, gone) = (Part(), Part())
        let parts = Mutex([stuck.heartbeat, gone.heartbeat])
        let watchdog = watchdog(listener.address) { parts.withLock(\.self) }
        watchdog.look()
        watchdog.look()
        #expect(listener.received() == ["WATCHDOG=1"])
        stuck.isExcused.raise()
        watchdog.look()
        #expect(listener.received().isEmpty)
        parts.withLock { $0 = [stuck.heartbeat] }
        watchdog.look()
        #expect(listener.received() == ["WATCHDOG=1"])
    }

    @Test(arguments: [nil, "", "0", "x"])
    func `without WatchdogSec= there is none`(_ microseconds: String?) async throws {
        let listener = try NotifyListener(address: "@tintyped-test-\(UUID().uuidString)")
        let looks = Mutex(0)
        let watchdog = watchdog(listener.address, microseconds) {
            looks.withLock { $0 += 1 }
            return []
        }
        try await running([watchdog]) { await Task.yield() }
        #expect(looks.withLock(\.self) == 0)
        #expect(listener.received().isEmpty)
    }

    @Test func `it looks at once, and then four times in the time of WatchdogSec=`() async throws {
        let times = Mutex<[MonotonicTime]>([])
        let watchdog = watchdog(nil) { [clock] in
            times.withLock { $0.append(clock.now) }
            return []
        }
        let start = clock.now
        try await running([watchdog]) { try await clock.sleep(until: start + .seconds(65)) }
        // Each reading of the clock is a microsecond later.
        let seconds = times.withLock { $0.map { Int(($0 - start).millisecondCount / 1000) } }
        #expect(seconds == [0, 15, 30, 45, 60])
    }
}
