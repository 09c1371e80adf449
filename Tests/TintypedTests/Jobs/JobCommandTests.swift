// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeAPI
import TintypeModel

@testable import tintyped

struct JobCommandTests {
    private static let request = JobRequest(.is(.tag("a")), UploadOptions(to: "s3:new/{id}"))

    @Test func `a new job begins at once`() async throws {
        let site = JobSite()
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            #expect(await site.orders(session).isEmpty)
            #expect(try await site.scheduler.add(Self.request).id == "added")
            let (order, waited) = try await site.next(session)
            #expect(order.upload?.to == "s3:new/{id}" && waited < .seconds(4))
        }
    }

    @Test func `a job of several spools needs the name of one`() async throws {
        let site = JobSite(stores: [FakeJobStore("default"), FakeJobStore("usb")])
        let missing = await problem { try await site.scheduler.add(Self.request) }
        #expect(missing?.code == .invalidRequest && missing?.remedy.contains("default, usb") == true)
        var request = Self.request
        request.spool = "usb"
        #expect(try await site.scheduler.add(request).spool == "usb")
        request.spool = "usbb"
        let unknown = await problem { [request] in try await site.scheduler.add(request) }
        #expect(unknown?.code == .notFound)
        // As of “tintype still --once”.
        let bare = JobSite(stores: [])
        #expect(await problem { try await bare.scheduler.add(Self.request) }?.code == .spoolUnavailable)
        #expect(try await bare.scheduler.jobs() == JobList(jobs: [], worker: false))
    }

    @Test func `a rule is named by its name, and cannot be cancelled or deleted`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 1)
        for name in ["cloud", "r"] {
            let cancelled = await problem { try await site.scheduler.change(name, by: .cancel) }
            #expect(cancelled?.code == .configurationConflict && cancelled?.remedy.contains("pause") == true)
            #expect(await problem { try await site.scheduler.delete(name) }?.code == .configurationConflict)
            #expect(try await site.scheduler.setPriority(4, of: name).priority == 4)
        }
        #expect(try await site.scheduler.change("cloud", by: .pause).state == .paused)
        #expect(await problem { try await site.scheduler.change("cloud", by: .pause) }?.code == .configurationConflict)
        #expect(await problem { try await site.scheduler.job("none") }?.code == .notFound)
    }

    @Test func `the name of a rule with jobs in several spools is ambiguous`() async throws {
        let stores = [FakeJobStore("default"), FakeJobStore("usb")]
        let site = JobSite([JobSite.rule("cloud")], stores: stores)
        for (store, id) in zip(stores, ["one", "two"]) { store.add(id, rule: "cloud", pictures: 1) }
        // The order is by name, also if the first spool is the last to answer.
        stores[0].looking.withLock { $0 = { try? await site.clock.sleep(until: site.clock.now + .milliseconds(500)) } }
        let ambiguous = await problem { try await site.scheduler.change("cloud", by: .pause) }
        #expect(ambiguous?.code == .invalidRequest)
        #expect(
            ambiguous?.remedy.contains("one (spool default), two (spool usb)") == true,
            "\(ambiguous?.remedy ?? "")"
        )
        #expect(try await site.scheduler.change("two", by: .pause).spool == "usb")
    }

    @Test func `rules come first in the list, then the newest`() async throws {
        let site = JobSite()
        for (id, rule, second) in [("a", nil, 1), ("b", "z", 2), ("c", "y", 3), ("d", nil, 4)]
            as [(String, String?, Int64)]
        {
            site.store.add(id, rule: rule, pictures: 1) { $0.createdAt = Timestamp(microseconds: second * 1_000_000) }
        }
        #expect(try await site.scheduler.jobs().jobs.map(\.id) == ["c", "b", "d", "a"])
        site.store.failure.withLock { $0 = FakeStore.late }
        #expect(await problem { try await site.scheduler.jobs() }?.code == .deadlineExceeded)
    }

    @Test func `reports count only pictures of the batch, each once`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 3)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let order = try await site.next(session).order
            let ids = try #require(order.pictures?.map(\.id))
            var report = WorkReport()
            report.done = [ids[0], FrameID(at: Timestamp(microseconds: 0))]
            report.bytes = 25
            for _ in 0..<2 { try await site.scheduler.report(report, on: order.batch ?? "") }
            let job = try await site.scheduler.job("r")
            // 10 bytes are those of the delivered picture.
            #expect(job.done == 1 && job.running == 2 && job.bytes == 15, "\(job)")
            report = WorkReport()
            report.failures = [
                WorkReport.Failure(id: ids[1], error: "Refused.", isFinal: true),
                WorkReport.Failure(id: ids[2], error: "Late.", isFinal: false),
            ]
            report.isOver = true
            try await site.scheduler.report(report, on: order.batch ?? "")
            // A batch with a success makes no pause.
            let (again, waited) = try await site.next(session)
            #expect(again.pictures?.map(\.id) == [ids[2]] && waited < .seconds(4))
        }
        #expect(site.store.job("r")?.failed == 1)
    }
}
