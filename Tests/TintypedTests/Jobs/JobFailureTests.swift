// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeAPI
import TintypeImaging
import TintypeModel

@testable import tintyped

/// Failures, lateness and losses of jobs, with their events and health reasons.
struct JobFailureTests {
    @Test func `pauses double from five seconds to an hour, and are at least half of that`() {
        for share in [0.5, 1] {
            var pause = JobPause()
            var (now, lengths) = (MonotonicTime(nanoseconds: 0), [Duration]())
            for _ in 0..<20 {
                pause.add("No.", at: now, share: share)
                lengths.append(pause.end - now)
                now = pause.end
            }
            #expect(Array(lengths.prefix(4)) == [5, 10, 20, 40].map { .seconds($0) * share })
            #expect(lengths.suffix(8).allSatisfy { $0 == .seconds(3600) * share })
            #expect(pause.attempts == 20 && pause.error == "No.")
        }
        let random = (0..<100).map { _ in
            var pause = JobPause()
            pause.add(nil, at: MonotonicTime(nanoseconds: 0))
            return pause.end - MonotonicTime(nanoseconds: 0)
        }
        #expect(Set(random).count > 50 && random.allSatisfy { $0 >= .milliseconds(2500) && $0 <= .seconds(5) })
    }

    @Test func `a rule whose server is away is retried, with one event until a success`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 3)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            for attempt in 1...12 {
                let (order, waited) = try await site.next(session)
                let pause = Job.firstPause.backoff(after: attempt - 2, upTo: Job.longestPause)
                // Half of it at random, and the time of the calls.
                #expect(attempt == 1 || waited >= pause * 0.45, "\(attempt): \(waited)")
                try await site.fail(order)
                let job = try await site.scheduler.job("cloud")
                #expect(job.attempts == attempt && job.error == "The server is away." && job.state == .pending)
                #expect(job.nextAttempt != nil)
                #expect(site.reasons.contains(.jobFailed) == (attempt >= JobPause.patience))
            }
            let (order, _) = try await site.next(session)
            try await site.finish(order)
            #expect(site.reasons.isEmpty)
            site.store.store(1, for: "r", at: site.clock.wall)
            try await site.fail(try await site.next(session).order)
        }
        #expect(site.events.count { $0 == .jobFailed } == 2)
    }

    @Test func `two pictures that fail each time hold up the others for a few attempts only`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 5)
        let ids = site.store.entries.withLock { $0["r"]?.pictures.map(\.id) ?? [] }
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            for attempt in 1...JobPause.patience + 1 {
                let order = try await site.next(session).order
                // As for a target that is away: they keep their places.
                #expect(order.pictures?.map(\.id) == ids)
                #expect(site.store.entries.withLock { $0["r"]?.attempts.isEmpty } == true, "\(attempt)")
                try await site.failFirst(of: order)
            }
            #expect(site.store.entries.withLock { $0["r"]?.attempts } == [ids[0]: 1, ids[1]: 1])
            try await site.failFirst(of: try await site.next(session).order)
            let last = try await site.next(session).order
            #expect(last.pictures?.map(\.id) == [ids[4]])
            try await site.failFirst(of: last)
            // None is left: all again.
            #expect(try await site.next(session).order.pictures?.map(\.id) == ids)
        }
        #expect(site.store.entries.withLock { $0["r"]?.attempts.count } == 5)
    }

    @Test func `failures before a success are those of their pictures at once`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 2)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let order = try await site.next(session).order
            let ids = try #require(order.pictures?.map(\.id))
            var report = WorkReport()
            report.failures = [WorkReport.Failure(id: ids[0], error: "Status 500.", isFinal: false)]
            (report.done, report.isOver) = ([ids[1]], true)
            try await site.scheduler.report(report, on: order.batch ?? "")
            #expect(site.store.entries.withLock { $0["r"]?.attempts } == [ids[0]: 1])
        }
    }

    @Test(arguments: [JobState.paused, .cancelled])
    func `a job that is not tried again fails no more`(_ state: JobState) async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 3)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            for _ in 0..<JobPause.patience { try await site.fail(try await site.next(session).order) }
            #expect(site.reasons == [.jobFailed])
            // As by a command, or since its rule was removed.
            _ = try site.store.changed("r") { $0.job.state = state }
            site.scheduler.wake()
            #expect(await site.clock.reaches { site.reasons.isEmpty })
        }
    }

    @Test func `retry ends a pause`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 3)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            for _ in 0..<8 { try await site.fail(try await site.next(session).order) }
            _ = try await site.scheduler.change("cloud", by: .retry)
            #expect(try await site.next(session).waited < .seconds(4))
        }
    }

    @Test func `a fatal fault fails the job, until it is retried or its options change`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 3)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            try await site.fail(try await site.next(session).order, "There is no remote s3.", isFatal: true)
            #expect(await site.orders(session).isEmpty)
            #expect(site.store.job("r")?.state == .failed && site.store.job("r")?.error == "There is no remote s3.")
            #expect(site.reasons == [.jobFailed] && site.events == [.jobFailed])
            // The same options have the same fault.
            site.scheduler.apply(JobSite.configuration([JobSite.rule("cloud")]))
            #expect(await site.orders(session).isEmpty)
            let corrected = JobSite.rule("cloud") { $0.options.to = "store:b/{id}" }
            site.scheduler.apply(JobSite.configuration([corrected]))
            let (order, waited) = try await site.next(session)
            #expect(order.upload?.to == "store:b/{id}" && waited < .seconds(4))
            #expect(site.reasons.isEmpty)
        }
    }

    @Test func `a removed rule, and one with other options, stops its batch`() async throws {
        let site = JobSite([JobSite.rule("a"), JobSite.rule("b")])
        for name in ["a", "b"] { site.store.add("r\(name)", rule: name, pictures: 3) }
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let begun = await site.orders(session)
            #expect(begun.map(\.action) == [.begin, .begin])
            site.scheduler.apply(JobSite.configuration([JobSite.rule("b") { $0.options.limit = 4096 }]))
            let stopped = await site.orders(session)
            #expect(stopped.map(\.action) == [.stop, .stop])
            for order in begun { try await site.fail(order) }
            let again = await site.orders(session)
            #expect(again.map(\.job) == ["rb"] && again.first?.upload?.limit == 4096)
        }
        // A batch that was stopped is no failure.
        #expect(site.events.isEmpty)
    }

    @Test func `a rule with hours has no batch outside of them, and its batch is stopped at their end`() async throws {
        let clock = TestClock()
        let minutes = (Int(clock.wall.microseconds / 60_000_000) + LocalTime(clock.wall).secondsFromUTC / 60) % 1440
        let (start, end) = ((minutes + 120) % 1440, (minutes + 180) % 1440)
        let hours = try #require(DayHours("\(DayHours.text(start))-\(DayHours.text(end))"))
        let site = JobSite([JobSite.rule("cloud") { $0.hours = hours }])
        site.store.add("r", rule: "cloud", pictures: 3)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let (order, waited) = try await site.next(session)
            #expect(order.action == .begin && waited > .seconds(110 * 60) && waited < .seconds(121 * 60), "\(waited)")
            let (stop, run) = try await site.next(session)
            #expect(stop == WorkOrder(.stop, batch: order.batch) && run < .seconds(61 * 60), "\(run)")
            try await site.fail(order)
            #expect(await site.orders(session).isEmpty)
            // Its pictures had to wait.
            #expect(site.reasons.isEmpty)
        }
    }

    @Test func `a rule is behind once until it has caught up`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 0)
        site.store.store(1, for: "r", at: site.clock.wall)
        try await site.run {
            try await site.clock.sleep(for: .seconds(3500))
            #expect(site.events.isEmpty)
            try await site.clock.sleep(for: .seconds(200))
            #expect(site.events == [.jobBehind] && site.reasons.contains(.jobBehind))
            try await site.clock.sleep(for: .seconds(7200))
            let session = try site.scheduler.connect("uid 1")
            try await site.finish(try await site.next(session).order)
            #expect(await site.orders(session).isEmpty)
            #expect(site.reasons.isEmpty)
            site.store.store(1, for: "r", at: site.clock.wall)
            _ = try await site.next(session)
            try await site.clock.sleep(for: .seconds(3700))
        }
        #expect(site.events == [.jobBehind, .jobBehind])
    }

    @Test func `pictures that wait a minute without a worker are a fault, with its remedy`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 2) { $0.createdAt = site.clock.wall }
        site.store.entries.withLock { $0["r"]?.pictures = [] }
        site.store.store(2, for: "r", at: site.clock.wall)
        try await site.run {
            try await site.clock.sleep(for: .seconds(40))
            #expect(site.reasons.isEmpty)
            try await site.clock.sleep(for: .seconds(30))
            #expect(site.reasons == [.jobWaiting])
            let reason = try #require(site.scheduler.conditions().first)
            #expect(reason.remedy.contains("sudo systemctl enable --now tintype-worker"))
            // For one without a service, as of “tintyped --demo”.
            #expect(reason.remedy.contains("“tintype work”"))
            #expect(reason.detail.hasPrefix("2 pictures wait"))
            let session = try site.scheduler.connect("uid 1")
            #expect(site.reasons.isEmpty)
            session.end()
            #expect(site.reasons.isEmpty)
            try await site.clock.sleep(for: .seconds(65))
            #expect(site.reasons == [.jobWaiting])
        }
    }

    @Test func `lost pictures are told, and are a fault for a day`() async throws {
        let site = JobSite([JobSite.rule("cloud")])
        site.store.add("r", rule: "cloud", pictures: 0) { $0.lost = 4 }
        site.store.store(2, for: "r", at: site.clock.wall)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            _ = try await site.next(session)
            site.store.entries.withLock { entries in
                entries["r"]?.job.lost = 7
                entries["r"]?.pictures.removeFirst()
            }
            #expect(await site.clock.reaches { site.events == [.picturesLost] })
            let event = site.journal.events(after: 0).first { $0.kind == .picturesLost }
            #expect(event?.lost == 3 && event?.job == "r" && event?.spool == "default")
            #expect(site.reasons == [.picturesLost])
            session.end()
            try await site.clock.sleep(for: .seconds(25 * 3600))
            #expect(!site.reasons.contains(.picturesLost))
        }
    }

    @Test func `reports the end of a job by command whose last pictures are deleted`() async throws {
        let site = JobSite()
        site.store.add("a", pictures: 1)
        site.store.add("b", pictures: 1)
        try await site.run {
            #expect(await site.clock.reaches { site.scheduler.board.withLock { $0.jobs.count } == 2 })
            site.store.entries.withLock { entries in
                for id in ["a", "b"] { entries[id]?.pictures = [] }
                entries["b"]?.job.lost = 1
            }
            #expect(await site.clock.reaches(within: .seconds(70)) { site.store.job("a")?.state == .done })
            #expect(await site.clock.reaches { site.store.job("b")?.state == .failed })
            #expect(site.store.job("b")?.error?.contains("deleted") == true)
            // Neither waits for anything but a command: the daemon may exit, and has no timer.
            await site.clock.settle()
            let hasOpenJobs = site.scheduler.board.withLock(\.hasOpenJobs)
            #expect(!hasOpenJobs)
            let looks = site.store.looks.withLock { $0 }
            try await site.clock.sleep(for: .seconds(3600))
            #expect(site.store.looks.withLock { $0 } <= looks + 1)
        }
        #expect(Set(site.events) == [.jobDone, .jobFailed, .picturesLost])
    }
}
