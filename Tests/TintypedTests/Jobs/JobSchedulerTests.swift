// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeAPI
import TintypeModel

@testable import tintyped

struct JobSchedulerTests {
    @Test func `a batch has at most 50 pictures, in order, and the options of the job`() async throws {
        let site = JobSite()
        site.store.add("a", pictures: 60)
        let all = site.store.entries.withLock { $0["a"]?.pictures ?? [] }
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let first = try await site.next(session).order
            #expect(first.action == .begin && first.job == "a" && first.upload == UploadOptions(to: "s3:b/{id}"))
            #expect(first.pictures == Array(all.prefix(50)))
            // One batch of a job at a time.
            #expect(await site.orders(session).isEmpty)
            let shown = try await site.scheduler.job("a")
            #expect(shown.state == .running && shown.running == 50 && shown.waiting == 60)
            try await site.finish(first)
            let second = try await site.next(session).order
            #expect(second.pictures == Array(all.dropFirst(50)))
            try await site.finish(second)
            #expect(try await site.scheduler.job("a").state == .done)
        }
        #expect(site.events == [.jobBegan, .jobDone])
    }

    @Test func `the event that a job has begun comes before its order`() async throws {
        let site = JobSite()
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            for index in 1...50 {
                site.store.add("a\(index)", pictures: 1)
                site.scheduler.wake()
                let order = try await site.next(session).order
                #expect(site.events.count { $0 == .jobBegan } == index)
                try await site.finish(order)
            }
        }
    }

    @Test func `a look that began before the end of a job does not begin it again`() async throws {
        let site = JobSite()
        site.store.add("f", .film)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let order = try await site.next(session).order
            await site.clock.settle()
            site.store.looking.withLock { $0 = { try? await site.clock.sleep(for: .seconds(2)) } }
            site.scheduler.wake()
            await site.clock.settle()
            site.store.looking.withLock { $0 = {} }
            try await site.fail(order, "ffmpeg is not installed.", isFatal: true)
            #expect(await site.orders(session).isEmpty)
            #expect(site.store.job("f")?.state == .failed)
        }
    }

    @Test func `a command during a look is no fault of the spool`() async throws {
        let site = JobSite()
        site.store.add("a", pictures: 0)
        site.store.looking.withLock { $0 = { _ = try? site.store.changed("a") { $0.job.state = .paused } } }
        try await site.run { await site.clock.settle() }
        #expect(site.store.job("a")?.state == .paused)
        #expect(!site.lines.lines.contains { $0.contains("cannot be read") }, "\(site.lines.lines)")
    }

    @Test func `three batches run at once and never four, those of a higher priority first`() async throws {
        let site = JobSite(stores: [FakeJobStore("default"), FakeJobStore("usb")])
        for (index, id) in ["a", "b", "c", "d", "e", "f"].enumerated() {
            site.stores[index % 2].add(id, pictures: 100) { $0.priority = id == "e" ? 5 : id == "f" ? 3 : 0 }
        }
        try await site.run {
            // So that both spools are known before there is a worker.
            try #require(await site.clock.reaches { try await site.scheduler.jobs().jobs.count == 6 })
            await site.clock.settle()
            let session = try site.scheduler.connect("uid 1")
            let first = await site.orders(session)
            #expect(Set(first.map(\.job)) == ["e", "f", "a"])
            var running = ["e", "f", "a"].compactMap { id in first.first { $0.job == id } }
            var begun: [String?] = []
            while !running.isEmpty {
                try await site.finish(running.removeFirst())
                let orders = await site.orders(session)
                #expect(orders.allSatisfy { $0.action == .begin })
                running += orders
                begun += orders.map(\.job)
                #expect(running.count <= 3 && Set(running.map(\.job)).count == running.count)
            }
            #expect(begun.prefix(2) == ["e", "f"], "\(begun)")
            #expect(begun.count == 9)
        }
        #expect(site.stores.allSatisfy { store in store.entries.withLock { $0.values.allSatisfy(\.pictures.isEmpty) } })
    }

    @Test func `a paused job is stopped, and begins again when its batch is over and it is resumed`() async throws {
        let site = JobSite()
        site.store.add("a", pictures: 2)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let batch = try #require(try await site.next(session).order.batch)
            let frame = try #require(site.store.entries.withLock { $0["a"]?.pictures.first?.id })
            let file = try await site.scheduler.file(of: frame, in: batch)
            #expect(try await file.read(0..<file.bytes) == Array("\(frame)".utf8))
            let paused = try await site.scheduler.change("a", by: .pause)
            #expect(paused.state == .paused && paused.running == 0)
            let stop = await session.next()
            #expect(stop == WorkOrder(.stop, batch: batch))
            #expect(await problem { try await site.scheduler.file(of: frame, in: batch) }?.code == .notFound)
            var report = WorkReport()
            report.done = [frame]
            let early = await problem { [report] in try await site.scheduler.report(report, on: batch) }
            #expect(early?.code == .notFound)
            #expect(try await site.scheduler.change("a", by: .resume).state == .pending)
            // The worker has not stopped yet.
            #expect(await site.orders(session).isEmpty)
            report.isOver = true
            try await site.scheduler.report(report, on: batch)
            let (again, waited) = try await site.next(session)
            #expect(again.action == .begin && again.pictures?.count == 1 && waited < .seconds(4))
        }
        #expect(site.store.job("a")?.done == 1)
    }

    @Test func `a worker that does not stop a batch loses it after ten seconds`() async throws {
        let site = JobSite(atOnce: 1)
        site.store.add("a", pictures: 2)
        site.store.add("b", pictures: 2) { $0.priority = -1 }
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let first = try await site.next(session).order
            _ = try await site.scheduler.change("a", by: .cancel)
            #expect(try await site.next(session).order == WorkOrder(.stop, batch: first.batch))
            let (second, waited) = try await site.next(session)
            #expect(second.job == "b" && waited > .seconds(8) && waited < .seconds(20), "\(waited)")
            #expect(await problem { try await site.finish(first) }?.code == .notFound)
        }
        #expect(site.store.job("a")?.state == .cancelled)
    }

    @Test func `the end of the worker's reply ends its claims, and another worker is refused until then`() async throws
    {
        let site = JobSite()
        site.store.add("a", pictures: 2)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let first = try await site.next(session).order
            let refused = await problem { try site.scheduler.connect("uid 2") }
            #expect(refused?.code == .configurationConflict && refused?.detail.contains("uid 1") == true)
            #expect(try await site.scheduler.jobs().worker)
            session.end()
            #expect(try await !site.scheduler.jobs().worker)
            #expect(await session.next() == nil)
            #expect(await problem { try await site.finish(first) }?.code == .notFound)
            let other = try site.scheduler.connect("uid 2")
            // The late end of the first session does not concern the second.
            session.end()
            let again = try await site.next(other).order
            #expect(again.action == .begin && again.pictures == first.pictures && again.batch != first.batch)
        }
    }

    @Test func `a worker has an order to be idle every five seconds, and none after the shutdown`() async throws {
        let site = JobSite()
        let session = try site.scheduler.connect("uid 1")
        try await site.run {
            for _ in 0..<3 {
                let began = site.clock.now
                #expect(await session.next() == WorkOrder(.idle))
                let waited = site.clock.now - began
                #expect(waited >= WorkerSession.pause && waited < WorkerSession.pause * 2)
            }
        }
        #expect(await session.next() == nil)
        #expect(try await !site.scheduler.jobs().worker)
    }

    @Test func `without jobs and a worker, a spool is looked at once only`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        try await site.run {
            try await site.clock.sleep(for: .seconds(1))
            try await site.clock.sleep(for: .seconds(3600))
            #expect(site.store.looks.withLock { $0 } == 1)
            // Nor with a worker that has nothing to do.
            let session = try site.scheduler.connect("uid 1")
            try await site.clock.sleep(for: .seconds(3600))
            session.end()
        }
        #expect(site.store.looks.withLock { $0 } == 2)
        #expect(site.reasons.isEmpty)
    }

    @Test func `a stored picture is ordered within a second, and a spool is looked at each second`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 0)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            #expect(await site.orders(session).isEmpty)
            site.store.store(1, for: "r")
            let (order, waited) = try await site.next(session)
            #expect(order.pictures?.count == 1 && waited < .seconds(4), "\(waited)")
            try await site.finish(order)
            try await site.clock.sleep(for: .seconds(5))
            let (before, began) = (site.store.looks.withLock { $0 }, site.clock.now)
            try await site.clock.sleep(for: .seconds(10))
            let looks = site.store.looks.withLock { $0 } - before
            #expect(looks > 4 && looks <= Int((site.clock.now - began) / .seconds(1)) + 2, "\(looks)")
            session.end()
            // Each minute without a worker.
            let alone = site.store.looks.withLock { $0 }
            try await site.clock.sleep(for: .seconds(600))
            #expect(8...12 ~= site.store.looks.withLock { $0 } - alone)
        }
    }

    @Test func `a place that a better job of another spool does not take is given within seconds`() async throws {
        let site = JobSite(atOnce: 1, stores: [FakeJobStore("default"), FakeJobStore("usb")])
        site.stores[0].add("a", pictures: 1) { $0.priority = 9 }
        site.stores[1].add("b", pictures: 1)
        try await site.run {
            try #require(await site.clock.reaches { try await site.scheduler.jobs().jobs.count == 2 })
            // Its picture is gone, or waits.
            let ids = site.stores[0].entries.withLock { $0["a"]?.pictures.map(\.id) ?? [] }
            site.stores[0].entries.withLock { $0["a"]?.held = Set(ids) }
            let session = try site.scheduler.connect("uid 1")
            let (order, waited) = try await site.next(session)
            #expect(order.job == "b" && waited < .seconds(4))
            // The place of a batch that the worker does not stop.
            site.stores[0].entries.withLock { $0["a"]?.held = [] }
            _ = try await site.scheduler.change("b", by: .pause)
            #expect(try await site.next(session).order.action == .stop)
            let (second, pause) = try await site.next(session)
            #expect(second.job == "a" && pause < .seconds(17), "\(pause)")
        }
    }

    @Test func `a spool that does not answer holds up no other`() async throws {
        let site = JobSite(stores: [FakeJobStore("default"), FakeJobStore("usb")])
        site.stores[0].add("a", pictures: 1) { $0.priority = 9 }
        site.stores[1].add("b", pictures: 1)
        site.stores[0].hangs.withLock { $0 = site.clock }
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let (order, waited) = try await site.next(session)
            #expect(order.job == "b" && waited < .seconds(4))
            let paused = try await site.scheduler.change("b", by: .pause)
            #expect(paused.state == .paused)
            let list = try await site.scheduler.jobs()
            #expect(list.jobs.map(\.id) == ["b"] && list.unavailable == ["default"])
            site.stores[0].hangs.withLock { $0 = nil }
            while try await site.next(session).order.job != "a" {}
        }
    }
}
