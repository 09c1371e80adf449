// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeAPI
import TintypeModel

@testable import tintyped

/// A scheduler with fake spools, and a worker that a test plays.
final class JobSite: Sendable {
    let clock = TestClock()
    let journal: EventJournal
    let lines = LineRecorder()
    let stores: [FakeJobStore]
    let recordings = FakeRecordings()
    let scheduler: JobScheduler

    init(
        _ uploads: [UploadSettings] = [],
        cameras: [CameraConfiguration] = [],
        atOnce: Int = 3,
        stores: [FakeJobStore] = [FakeJobStore()]
    ) {
        self.stores = stores
        journal = EventJournal(now: clock.wall, clock: clock)
        var configuration = Self.configuration(uploads, atOnce: atOnce)
        configuration.cameras = cameras
        scheduler = JobScheduler(
            configuration,
            stores: stores,
            recordings: recordings,
            journal: journal,
            clock: clock,
            logger: lines.logger
        )
    }

    static func configuration(_ uploads: [UploadSettings], atOnce: Int = 3) -> DaemonConfiguration {
        var configuration = DaemonConfiguration()
        (configuration.uploads, configuration.jobs.atOnce) = (uploads, atOnce)
        return configuration
    }

    static func rule(_ name: String, _ change: (inout UploadSettings) -> Void = { _ in }) -> UploadSettings {
        var rule = UploadSettings(name: name, options: UploadOptions(to: "s3:b/{id}"))
        change(&rule)
        return rule
    }

    var store: FakeJobStore { stores[0] }

    /// Events about jobs.
    var events: [Event.Kind] { journal.events(after: 0).filter { $0.job != nil }.map(\.kind) }
    var reasons: [HealthReason.Code] { scheduler.conditions().map(\.code) }

    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await running([scheduler], body)
    }

    /// Orders until there is none for five seconds.
    func orders(_ session: any WorkSession) async -> [WorkOrder] {
        var orders: [WorkOrder] = []
        while let order = await session.next(), order.action != .idle { orders.append(order) }
        return orders
    }

    /// The next order that is not to be idle, and the time that passed before it.
    func next(_ session: any WorkSession) async throws -> (order: WorkOrder, waited: Duration) {
        let began = clock.now
        while true {
            let order = try #require(await session.next())
            if order.action != .idle { return (order, clock.now - began) }
        }
    }

    /// Reports that all pictures of a batch are delivered.
    func finish(_ order: WorkOrder) async throws {
        var report = WorkReport()
        (report.done, report.isOver) = (order.pictures?.map(\.id) ?? [], true)
        try await scheduler.report(report, on: order.batch ?? "")
    }

    /// Reports that a film or clip is made.
    @discardableResult
    func finishVideo(_ order: WorkOrder, pictures: Int = 3) async throws -> VideoResult {
        var report = WorkReport()
        let size = FrameSize(width: 64, height: 48)
        let video = VideoResult(bytes: 9, size: size, duration: .seconds(1), pictures: pictures)
        (report.video, report.isOver) = (video, true)
        try await scheduler.report(report, on: order.batch ?? "")
        return video
    }

    /// Reports that a batch has ended without a success.
    func fail(_ order: WorkOrder, _ error: String = "The server is away.", isFatal: Bool = false) async throws {
        var report = WorkReport()
        (report.error, report.isOver, report.isFatal) = (error, true, isFatal)
        try await scheduler.report(report, on: order.batch ?? "")
    }

    /// Reports that a batch has ended, as its first two pictures failed and no other was tried.
    func failFirst(of order: WorkOrder) async throws {
        var report = WorkReport()
        report.failures = (order.pictures ?? []).prefix(2).map {
            WorkReport.Failure(id: $0.id, error: "Status 500.", isFinal: false)
        }
        (report.error, report.isOver) = ("Status 500.", true)
        try await scheduler.report(report, on: order.batch ?? "")
    }
}
