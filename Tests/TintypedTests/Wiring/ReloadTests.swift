// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import TestSupport
import Testing
import TintypeAPI
import TintypeCapture
import TintypeDevice
import TintypeModel

@testable import TintypeSpool
@testable import tintyped

struct ReloadTests {
    private static func camera(_ name: String, _ change: (inout CameraConfiguration) -> Void = { _ in }) throws
        -> CameraConfiguration
    {
        var camera = CameraConfiguration(name: name, source: .pattern(try PatternSpec("YUYV:256x64@50")))
        camera.session.warmth = .hot
        change(&camera)
        return camera
    }

    /// Settings with these cameras, a spool in `folder`, and nothing else.
    private static func settings(_ cameras: [CameraConfiguration], in folder: TemporaryFolder) throws -> DaemonSettings
    {
        let flags = DaemonFlags(spool: "\(folder.path)/spool", state: folder.path, workingFolder: folder.path)
        var settings = try DaemonSettings(nil, flags)
        (settings.configuration.cameras, settings.discovers) = (cameras, false)
        return settings
    }

    /// Reload with settings from the test, and the parts of its daemon.
    private struct Site {
        let reload: Reload
        let cameras: Cameras
        let hooks: Hooks
        let notifier: ServiceNotifier
        let next: @Sendable (Result<DaemonSettings, any Error>) -> Void
        let told: ToldEvents
        let lines: LineRecorder

        func reload(_ settings: DaemonSettings) async throws -> ReloadReport {
            next(.success(settings))
            return try await reload.reload()
        }

        func names() async -> [String] { await cameras.cameras().map(\.name) }
    }

    /// Runs a daemon with `others` besides its spool, opened without their configured groups.
    private static func run(
        _ cameras: [CameraConfiguration],
        spools others: [SpoolSettings] = [],
        notifier address: String? = nil,
        _ body: @escaping @Sendable (Site, TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        var settings = try settings(cameras, in: folder)
        let (lines, clock) = (LineRecorder(), ManualClock())
        for other in others {
            settings.configuration.spools.append(SpoolSettings(name: other.name, folder: other.folder))
        }
        let spools = try await Spools.open(settings.configuration, clock: TestClock(), logger: lines.logger)
        settings.configuration.spools = others
        let told = ToldEvents()
        let all = Cameras(settings: settings, spools: spools, clock: TestClock(), logger: lines.logger, tell: told.tell)
        let next = Mutex<Result<DaemonSettings, any Error>>(.success(settings))
        let reloading = Reloading(
            read: { try next.withLock(\.self).get() },
            requests: AsyncStream { $0.finish() },
            notifier: ServiceNotifier(address: address, clock: clock, logger: lines.logger)
        )
        let journal = EventJournal(now: clock.wall, clock: clock)
        let hooks = Hooks(settings, journal: journal, clock: clock, logger: lines.logger)
        let jobs = JobScheduler(
            settings.configuration,
            stores: spools.all,
            journal: journal,
            clock: TestClock(),
            logger: lines.logger
        )
        let parts = Wiring(
            settings: settings,
            clock: TestClock(),
            logger: lines.logger,
            journal: journal,
            hooks: hooks,
            spools: spools,
            jobs: jobs,
            cameras: all,
            access: AccessPolicy(AccessRules(nil))
        )
        let reload = Reload(parts, reloading)
        let site = Site(
            reload: reload,
            cameras: all,
            hooks: hooks,
            notifier: reloading.notifier,
            next: { result in next.withLock { $0 = result } },
            told: told,
            lines: lines
        )
        try await running([ServiceFunction(body: all.publish)]) { try await body(site, folder) }
        for camera in all.all { #expect(await camera.session.end(within: .patience)) }
        await spools.close(until: soon)
    }

    @Test func `a reload reopens only changed cameras`() async throws {
        let (door, yard) = (try Self.camera("door"), try Self.camera("yard"))
        try await Self.run([door, yard]) { site, folder in
            let before = try await site.cameras.find("door")
            #expect(await reaches { site.cameras.all.allSatisfy { $0.session.status.state == .running } })
            let other = try Self.camera("yard") { $0.session.quality = 33 }
            let report = try await site.reload(try Self.settings([other, door, try Self.camera("gate")], in: folder))
            #expect(report.kept == ["door"] && report.changed == ["yard"])
            #expect(report.added == ["gate"] && report.removed == [])
            let captured = before.session.status.counters.captured
            #expect(try await site.cameras.find("door").session === before.session)
            let areRunning = await reaches {
                site.cameras.all.count == 3 && site.cameras.all.allSatisfy { $0.session.status.state == .running }
                    && before.session.status.counters.captured > captured + 5
            }
            #expect(areRunning)
            #expect(before.session.status.counters.opened == 1)
            #expect(try await site.cameras.camera("yard").quality == 33)
            let changes = site.told.all.filter { $0.kind == .configurationChanged }.compactMap(\.camera)
            #expect(changes == ["yard", "gate"])
        }
    }

    @Test func `a client waiting for a changed camera gets the reason`() async throws {
        let spec = try PatternSpec("YUYV:256x64@50,stall-after=0")
        let camera = try Self.camera("door") { $0.source = .pattern(spec) }
        try await Self.run([camera]) { site, folder in
            let old = try await site.cameras.find("door")
            async let refused = #expect(throws: Problem.self) {
                try await site.cameras.still(StillRequest(deadline: .patience), of: "door")
            }
            // Before enough reopening attempts have failed to be reported to clients.
            #expect(await reaches { old.session.status.waiting == 1 })
            _ = try await site.reload(try Self.settings([try Self.camera("door")], in: folder))
            let problem = await refused
            #expect(problem?.code == .stopping)
            #expect(problem?.detail == "The configuration of the camera door has changed, and it was closed.")
            _ = try await site.cameras.still(StillRequest(deadline: .patience), of: "door")
        }
    }

    @Test func `a reload replaces the schedules of changed and removed cameras`() async throws {
        let schedule = PublishSchedule(rate: .every(.milliseconds(100), .start))
        let camera = try Self.camera("door") { $0.publish = [schedule] }
        try await Self.run([camera]) { site, folder in
            let old = try await site.cameras.find("door")
            #expect(await reaches { old.session.status.counters.published > 1 })
            var tagged = schedule
            tagged.tags = ["new"]
            let other = try Self.camera("door") { $0.publish = [tagged] }
            #expect(try await site.reload(try Self.settings([other], in: folder)).changed == ["door"])
            let published = old.session.status.counters.published
            let new = try await site.cameras.find("door")
            #expect(await reaches { new.session.status.counters.published > 1 })
            #expect(new.publishing?.first?.schedule.contains("tags new") == true)
            let third = try Self.camera("gate") { $0.publish = [schedule] }
            #expect(try await site.reload(try Self.settings([third], in: folder)).removed == ["door"])
            let last = new.session.status.counters.published
            let gate = try await site.cameras.find("gate")
            // Time for the old schedules to publish too.
            #expect(await reaches { gate.session.status.counters.published > 4 })
            #expect(old.session.status.counters.published == published)
            #expect(new.session.status.counters.published == last)
            #expect(await site.names() == ["gate"])
        }
    }

    @Test func `the first slots of new cameras find their camera`() async throws {
        try await Self.run([]) { site, folder in
            let names = (1...12).map { "camera-\($0)" }
            let cameras = try names.map { name in
                try Self.camera(name) { $0.publish = [PublishSchedule(rate: .every(.seconds(3600), .start))] }
            }
            #expect(try await site.reload(try Self.settings(cameras, in: folder)).added == names.sorted())
            let haveHadSlots = await reaches {
                site.cameras.all.allSatisfy { camera in
                    camera.publishing?.first.map { $0.published > 0 || $0.missed != nil } == true
                }
            }
            #expect(haveHadSlots)
            let missed = site.cameras.all.compactMap { $0.publishing?.first?.missed?["camera-not-found"] }
            #expect(missed.isEmpty)
        }
    }

    @Test func `a refused configuration changes nothing and names the key`() async throws {
        try await Self.run([try Self.camera("door")]) { site, folder in
            let place = ConfigurationFault.Place(line: 4, column: 7)
            let fault = ConfigurationFault(file: "/a", place: place, key: "cameras.b", detail: "No.", remedy: "Yes.")
            let other = ConfigurationFault(file: "/a", place: nil, key: nil, detail: "Nor this.", remedy: "That.")
            site.next(.failure(ConfigurationError(faults: [fault, other])))
            let refused = await #expect(throws: Problem.self) { try await site.reload.reload() }
            #expect(refused?.code == .configurationUnsupported && refused?.field == "cameras.b")
            let faults = "/a:4:7: cameras.b: No. Yes. /a: Nor this. That."
            #expect(refused?.detail == "The new configuration is refused: \(faults)")
            #expect(site.lines.messageIDs.contains(.configurationRefused))
            let changes: [(String, (inout DaemonSettings) -> Void)] = [
                ("socket", { $0.configuration.socket.mode = 0o600 }),
                ("state", { $0.configuration.stateFolder = "/elsewhere" }),
                ("spool", { $0.configuration.spool.fileMode = 0o600 }),
                ("spools", { $0.configuration.spools = [SpoolSettings(name: "usb", folder: "/usb")] }),
            ]
            for (key, change) in changes {
                var settings = try Self.settings([try Self.camera("yard")], in: folder)
                change(&settings)
                let refused = await #expect(throws: Problem.self) { try await site.reload(settings) }
                #expect(refused?.code == .configurationUnsupported && refused?.field == key)
            }
            #expect(await site.names() == ["door"])
        }
    }

    @Test func `a reload replaces the hooks`() async throws {
        try await Self.run([]) { site, folder in
            var settings = try Self.settings([], in: folder)
            let one = HookConfiguration(name: "one", kinds: [.healthy], command: ["/bin/true"])
            var two = HookConfiguration(name: "two", kinds: [.gap], command: ["/bin/true"])
            settings.configuration.hooks = [two, one]
            _ = try await site.reload(settings)
            #expect(site.hooks.hooks().map(\.name) == ["one", "two"])
            two.kinds = [.degraded]
            settings.configuration.hooks = [one, two]
            _ = try await site.reload(settings)
            #expect(site.hooks.hooks().map(\.kinds) == [[.healthy], [.degraded]])
            settings.configuration.hooks = []
            _ = try await site.reload(settings)
            #expect(site.hooks.hooks().isEmpty)
        }
    }

    @Test func `a reload applies retention rules`() async throws {
        try await Self.run([try Self.camera("door")]) { site, folder in
            for _ in 0..<3 { _ = try await site.cameras.still(StillRequest(deadline: .patience), of: "door") }
            let spool = site.cameras.spools.all[0]
            // Retention deletes nothing from a spool that was never verified.
            _ = try await spool.verify(deep: false, until: soon)
            #expect(try await spool.retention(dryRun: true, confirm: false, until: soon).victims.isEmpty)
            var settings = try Self.settings([try Self.camera("door")], in: folder)
            settings.configuration.spool.retention.maxFrames = 1
            #expect(try await site.reload(settings).kept == ["door"])
            let report = try await spool.retention(dryRun: true, confirm: false, until: soon)
            #expect(report.victims.count == 2, "\(report)")
        }
    }

    @Test func `an unknown group leaves the rules of all spools unchanged`() async throws {
        let place = TemporaryFolder()
        let other = SpoolSettings(name: "usb", folder: "\(place.path)/usb", group: "no-such-group")
        try await Self.run([try Self.camera("door")], spools: [other]) { site, folder in
            var settings = try Self.settings([try Self.camera("door")], in: folder)
            settings.configuration.spools = [other]
            settings.configuration.spool.retention.maxFrames = 1
            let refused = await #expect(throws: Problem.self) { try await site.reload(settings) }
            #expect(refused?.code == .spoolUnavailable && refused?.detail.contains("no-such-group") == true)
            #expect(site.cameras.spools.all.map(\.name) == ["default", "usb"])
            #expect(site.cameras.spools.all[0].storage.configuration.retention.maxFrames == nil)
        }
    }

    @Test func `notifies systemd of start and end of a reload`() async throws {
        let place = TemporaryFolder()
        let listener = try NotifyListener(address: "\(place.path)/notify")
        try await Self.run([try Self.camera("door")], notifier: listener.address) { site, _ in
            // No notification before READY: another READY would end the start.
            _ = try await site.reload.reload()
            site.notifier.ready("Serving")
            _ = try await site.reload.reload()
        }
        let received = listener.received().drop { !$0.hasPrefix("READY=1\n") }.dropFirst()
        #expect(received.count == 2)
        #expect(received.first == "RELOADING=1\nMONOTONIC_USEC=\(ManualClock.start.nanoseconds / 1000)")
        #expect(received.last?.hasPrefix("READY=1\n") == true)
    }
}
