// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeAPI
import TintypeImaging
import TintypeModel

@testable import tintyped

/// Films by schedule, whose time of the day is half a day from now.
struct FilmScheduleTests {
    private let camera: CameraConfiguration
    private let film: FilmSettings
    /// Day whose film is due.
    private let day: Int

    init() {
        let now = TestClock().wall
        let minute = (now - LocalTime.moment(day: LocalTime(now).day, time: 0)) / .seconds(60)
        var film = FilmSettings()
        film.minutes = (Int(minute) + 720) % 1440
        var camera = CameraConfiguration(name: "garden", source: .node(path: "/dev/video0"))
        camera.film = film
        (self.camera, self.film, day) = (camera, film, film.day(dueAt: now))
    }

    private func noon(_ day: Int) -> Timestamp { LocalTime.moment(day: day, time: 12 * 3_600_000_000) }

    /// Runs a daemon with `store` for a few minutes.
    private func run(_ store: FakeJobStore, _ camera: CameraConfiguration) async throws {
        let site = JobSite(cameras: [camera], stores: [store])
        try await site.run { try await site.clock.sleep(for: .seconds(200)) }
    }

    @Test func `the film of the day before is added once, also over restarts`() async throws {
        let store = FakeJobStore()
        for day in day - 2...day + 1 { store.keep(noon(day), of: "garden", tags: ["noon"]) }
        var (film, camera) = (film, camera)
        (film.filter, film.tags, film.style.speed) = (.is(.tag("noon")), ["day"], 600)
        camera.film = film
        for _ in 0..<3 { try await run(store, camera) }
        let requests = store.requests
        #expect(requests.count == 1 && store.entries.withLock { $0.count } == 1)
        let request = try #require(requests.first)
        let end = LocalTime.moment(day: day + 1, time: 0)
        let conditions: [FrameCondition] = [
            .camera("garden"), .from(LocalTime.moment(day: day, time: 0)), .to(end), .tag("noon"),
        ]
        #expect(request.filter == .all(conditions.map { .is($0) }) && request.filter.camera == "garden")
        #expect(request.tags == ["day"] && request.style.speed == 600)
        #expect(store.job(FilmSettings.job(of: "garden", on: day)) != nil)
        // As it is kept in the catalog.
        #expect(try WireFormat.decode(FilmRequest.self, from: WireFormat.encode(request)) == request)
    }

    @Test func `no film is added for a day without pictures`() async throws {
        let store = FakeJobStore()
        store.keep(noon(day - 1), of: "garden")
        store.keep(noon(day + 1), of: "garden")
        store.keep(noon(day), of: "yard")
        store.keep(noon(day), of: "garden", .clip)
        try await run(store, camera)
        #expect(store.requests.isEmpty)
    }

    @Test func `a film by command of the same day does not replace that of the day`() async throws {
        let store = FakeJobStore()
        store.keep(noon(day), of: "garden")
        store.keep(noon(day), of: "garden", .film)
        try await run(store, camera)
        #expect(store.requests.count == 1)
    }

    @Test func `the film is added once the catalog is rebuilt, and if its pictures are found late`() async throws {
        let site = JobSite(cameras: [camera])
        site.store.isRebuilding.withLock { $0 = true }
        try await site.run {
            try await site.clock.sleep(for: .seconds(100))
            site.store.keep(noon(day), of: "garden")
            site.store.isSlow.withLock { $0 = true }
            try await site.clock.sleep(for: .seconds(100))
            #expect(site.store.requests.isEmpty)
            site.store.isRebuilding.withLock { $0 = false }
            #expect(await site.clock.reaches(within: .seconds(70)) { site.store.requests.count == 1 })
        }
    }

    @Test func `the film of the day before is added at its time each day`() async throws {
        let site = JobSite(cameras: [camera])
        for day in day...day + 4 { site.store.keep(noon(day), of: "garden") }
        let ids = (day...day + 2).map { FilmSettings.job(of: "garden", on: $0) }
        let next = film.time(on: day + 2)
        try await site.run {
            #expect(await site.clock.reaches { site.store.job(ids[0]) != nil })
            try await site.clock.sleep(for: next - site.clock.wall - .seconds(5))
            #expect(site.store.job(ids[1]) == nil)
            try await site.clock.sleep(for: .seconds(10))
            #expect(site.store.job(ids[1]) != nil)
            try await site.clock.sleep(for: .seconds(25 * 3600))
            #expect(site.store.job(ids[2]) != nil)
        }
    }

    @Test func `an unavailable spool is retried, and logged once`() async throws {
        let site = JobSite(cameras: [camera])
        site.store.keep(noon(day), of: "garden")
        site.store.failure.withLock { $0 = FakeStore.late }
        try await site.run {
            try await site.clock.sleep(for: .seconds(300))
            site.store.failure.withLock { $0 = nil }
            #expect(await site.clock.reaches(within: .seconds(70)) { !site.store.requests.isEmpty })
        }
        #expect(site.lines.lines.count { $0.hasPrefix("<4>the film of the day cannot be added") } == 1)
    }

    @Test func `a reload adds the film of a newly configured camera`() async throws {
        let site = JobSite()
        site.store.keep(noon(day), of: "garden")
        try await site.run {
            try await site.clock.sleep(for: .seconds(100))
            #expect(site.store.requests.isEmpty)
            var configuration = DaemonConfiguration()
            configuration.cameras = [camera]
            site.scheduler.apply(configuration)
            #expect(await site.clock.reaches { site.store.requests.count == 1 })
        }
    }
}
