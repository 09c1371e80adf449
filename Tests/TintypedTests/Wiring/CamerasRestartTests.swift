// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel

@testable import tintyped

struct CamerasRestartTests {
    private let clock = TestClock()

    private func cameras(
        _ spec: String,
        _ session: SessionConfiguration,
        tolerances: ToleranceStore = ToleranceStore(),
        tell: @escaping EventSink = { _ in }
    ) throws -> Cameras {
        let source = Camera.Source.pattern(try PatternSpec(spec))
        let camera = CameraConfiguration(name: "pattern", source: source, session: session)
        return Cameras(
            settings: try .only([camera]),
            spools: Spools(all: []),
            tolerances: tolerances,
            clock: clock,
            logger: .quiet,
            tell: tell
        )
    }

    private func end(_ cameras: Cameras) async {
        for camera in cameras.all { _ = await camera.session.end(within: .milliseconds(500)) }
    }

    @Test func `READY waits for the first good frame of a hot camera`() async throws {
        let journal = EventJournal(now: clock.wall, clock: clock)
        let cameras = try cameras("GREY:64x48@50", SessionConfiguration(warmth: .hot), tell: journal.append)
        await cameras.settle(until: clock.now + .seconds(60), journal.signals())
        #expect(try await cameras.camera("pattern").state == .running)
        await end(cameras)
    }

    @Test func `READY does not wait for a hanging camera`() async throws {
        let journal = EventJournal(now: clock.wall, clock: clock)
        let hot = SessionConfiguration(warmth: .hot)
        let hanging = try cameras("GREY:64x48@50,hang-at=open", hot, tell: journal.append)
        // The journal signals clients every 5 s.
        let limit = clock.now + .seconds(3600)
        try await running([journal]) { await hanging.settle(until: limit, journal.signals()) }
        #expect(try await hanging.camera("pattern").state.reason?.code == .driverStuck)
        #expect(hanging.areNeeded)
        #expect(clock.now < limit)
        await end(hanging)
    }

    @Test func `a fault known from before the restart is tolerated in the first picture`() async throws {
        let store = ToleranceStore()
        let known = PictureTolerance(quirk: .surplusBytes, since: Timestamp(microseconds: 0), frames: 30)
        store.set([known], of: ToleranceStore.Camera(PatternDevice.identity(named: "pattern")))
        let session = SessionConfiguration(warmth: .linger(.seconds(30)))
        let cameras = try cameras("MJPG:256x64@50,quirk=surplusBytes", session, tolerances: store)
        let request = StillRequest(settle: .never, keep: false)
        let record = try await cameras.still(request, of: "pattern").record
        #expect(record.verdict == .tolerated && record.skipped?[.corrupt] == nil)
        #expect(try await cameras.camera("pattern").tolerance?.first?.since == known.since)
        _ = try await cameras.resetTolerance(of: "pattern")
        #expect(store.tolerance(of: ToleranceStore.Camera(PatternDevice.identity(named: "pattern"))).isEmpty)
        await end(cameras)
    }

    @Test func `READY does not wait for a cold camera`() async throws {
        let journal = EventJournal(now: clock.wall, clock: clock)
        let limit = clock.now + .seconds(3600)
        let cold = try cameras("GREY:64x48@50", SessionConfiguration(warmth: .cold))
        await cold.settle(until: limit, journal.signals())
        #expect(try await cold.camera("pattern").state == .off && !cold.areNeeded)
        #expect(clock.now < limit)
        await end(cold)
    }
}
