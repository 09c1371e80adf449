// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

struct WatchdogTests {
    /// Part of the daemon that answers on demand.
    private final class Part: Sendable {
        private let asked = Mutex<[@Sendable () -> Void]>([])
        let isExcused = OnceFlag()

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

    @Test func `notifies systemd only while the part answers`() throws {
        let listener = try NotifyListener(address: "@tintyped-test-\(UUID().uuidString)")
        let part = Part()
        let watchdog = watchdog(listener.address) { [part.heartbeat] }
        watchdog.check()
        #expect(listener.received() == ["WATCHDOG=1"] && part.count == 1)
        part.answer()
        watchdog.check()
        #expect(listener.received() == ["WATCHDOG=1"] && part.count == 2)
        // Silent part: no notification, one log line, and no further request before it answers.
        watchdog.check()
        watchdog.check()
        #expect(listener.received().isEmpty && part.count == 2)
        #expect(lines.lines == [#"<3>a part of the daemon does not answer part="the part""#])
        part.answer()
        watchdog.check()
        #expect(listener.received() == ["WATCHDOG=1"] && part.count == 3)
        #expect(lines.lines.last == #"<5>a part of the daemon answers again part="the part""#)
    }

    @Test func `an excused or removed part does not stop the notifications`() throws {
        let listener = try NotifyListener(address: "@tintyped-test-\(UUID().uuidString)")
        let (stuck, gone) = (Part(), Part())
        let parts = Mutex([stuck.heartbeat, gone.heartbeat])
        let watchdog = watchdog(listener.address) { parts.withLock(\.self) }
        watchdog.check()
        watchdog.check()
        #expect(listener.received() == ["WATCHDOG=1"])
        stuck.isExcused.raise()
        watchdog.check()
        #expect(listener.received().isEmpty)
        parts.withLock { $0 = [stuck.heartbeat] }
        watchdog.check()
        #expect(listener.received() == ["WATCHDOG=1"])
    }

    @Test(arguments: [nil, "", "0", "x"])
    func `does nothing without WatchdogSec=`(_ microseconds: String?) async throws {
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

    @Test func `checks at once and four times per WatchdogSec=`() async throws {
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
