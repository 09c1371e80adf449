// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel

@testable import tintyped

struct AlarmHookTests {
    @Test func `a camera frozen and black for a minute calls a hook once for each start and each end`() async throws {
        let (folder, clock) = (TemporaryFolder(), TestClock())
        let faults = try folder.write("", to: "faults")
        let journal = EventJournal(now: clock.wall, clock: clock)
        let alarms: [CameraAlarm: Duration] = [.frozen: .seconds(30), .black: .seconds(30)]
        let front = CameraConfiguration(
            name: "front",
            source: .pattern(try PatternSpec("YUYV:320x240@5,faults=\(faults)")),
            session: SessionConfiguration(warmth: .hot, alarms: alarms)
        )
        let cameras = Cameras(
            settings: try .only([front]),
            spools: Spools(all: []),
            clock: clock,
            logger: .quiet,
            tell: journal.append
        )
        let camera = try await cameras.find("front")
        let called = Recorder<String>()
        let hook = HookConfiguration(name: "a", kinds: [.alarmBegan, .alarmEnded], command: ["/bin/true"])
        let runner = HookRunner(hook, journal: journal, clock: clock, logger: .quiet) { json, _ in
            let event = try? WireFormat.decode(Event.self, from: json)
            called.add("\(event?.kind.rawValue ?? "") \(event?.alarm?.rawValue ?? "")")
            return (.ok, "")
        }
        let running = Task { await runner.cancellation.runUntilCancelled([runner.run]) }
        for fault in ["frozen", "dark"] {
            try await clock.sleep(for: .seconds(20))
            _ = try folder.write(fault, to: "faults")
            try await clock.sleep(for: .seconds(60))
            _ = try folder.write("", to: "faults")
        }
        try await clock.sleep(for: .seconds(20))
        try await called.wait(forCount: 4)
        #expect(
            called.values == ["alarm-began frozen", "alarm-ended frozen", "alarm-began black", "alarm-ended black"]
        )
        #expect(await camera.session.end(within: .patience))
        runner.cancellation.cancel()
        await running.value
    }
}
