// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeModel

@testable import tintyped

struct HealthEventsTests {
    private static func reason(
        _ code: HealthReason.Code,
        camera: String? = nil,
        spool: String? = nil,
        _ detail: String = "It is so."
    ) -> HealthReason {
        HealthReason(code, camera: camera, spool: spool, detail, remedy: "Change it.")
    }

    private static func health(_ reasons: HealthReason...) -> Health {
        Health(status: reasons.isEmpty ? .ok : .degraded, version: "1", reasons: reasons.isEmpty ? nil : reasons)
    }

    @Test func `reports each change of the health once`() {
        var events = HealthEvents()
        #expect(events.events(for: Self.health()).isEmpty)
        let absent = Self.reason(.cameraAbsent, camera: "yard", "Seen 3 s ago.")
        let told = events.events(for: Self.health(absent))
        #expect(told.map(\.kind) == [.degraded])
        #expect(told.first?.reasons == [absent] && told.first?.detail == "The daemon is degraded. Seen 3 s ago.")
        // Same reason with another detail.
        #expect(events.events(for: Self.health(Self.reason(.cameraAbsent, camera: "yard", "Seen 5 s ago."))).isEmpty)
        #expect(events.events(for: Self.health(Self.reason(.cameraAbsent, camera: "door"))).map(\.kind) == [.degraded])
        #expect(events.events(for: Self.health()).map(\.kind) == [.healthy])
        #expect(events.events(for: Self.health()).isEmpty)
    }

    @Test func `two alarms of a camera are two causes`() {
        var events = HealthEvents()
        var black = Self.reason(.cameraAlarm, camera: "yard")
        black.alarm = .black
        var frozen = black
        frozen.alarm = .frozen
        for reason in [black, frozen] { #expect(events.events(for: Self.health(reason)).map(\.kind) == [.degraded]) }
    }

    @Test func `a spool that runs low is a separate event`() {
        var events = HealthEvents()
        let low = Self.reason(.spoolLow, spool: "default", "1 GB is left.")
        let told = events.events(for: Self.health(low))
        #expect(told.map(\.kind) == [.spoolLow, .degraded])
        #expect(told.first?.spool == "default" && told.first?.detail == "1 GB is left.")
        // Still low when another reason is added.
        let absent = Self.reason(.cameraAbsent, camera: "yard")
        #expect(events.events(for: Self.health(low, absent)).map(\.kind) == [.degraded])
        let full = Self.reason(.spoolFull, spool: "default")
        #expect(events.events(for: Self.health(full)).map(\.kind) == [.spoolLow, .degraded])
    }

    @Test func `checks the health at the start and every two seconds`() async throws {
        let told = ToldEvents()
        let clock = ManualClock()
        let looks = Mutex(0)
        let watch = HealthWatch(
            clock: clock,
            cameras: { [CameraStatus(name: "yard", identity: nil, authorization: .authorized, state: .off)] },
            health: { _ in
                looks.withLock { $0 += 1 }
                let isSecond = looks.withLock { $0 == 2 }
                return isSecond ? Self.health(Self.reason(.cameraAbsent, camera: "yard")) : Self.health()
            },
            tell: told.tell
        )
        try await running([watch]) {
            var sleeps = clock.sleeps.makeAsyncIterator()
            for look in 1...3 {
                #expect(await sleeps.next() == .seconds(2 * look))
                #expect(looks.withLock(\.self) == look)
                clock.move(to: .seconds(2 * look))
            }
        }
        #expect(told.all.map(\.kind) == [.degraded, .healthy])
    }
}
