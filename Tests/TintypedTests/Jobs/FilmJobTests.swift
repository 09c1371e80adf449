// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeAPI
import TintypeModel

@testable import tintyped

/// Films and clips in the hands of the worker.
struct FilmJobTests {
    @Test func `a film is ordered, piped, received and stored, with its progress`() async throws {
        let site = JobSite()
        site.store.add("f", .film, pictures: 3)
        let ids = (0..<3).map { site.store.keep(Timestamp(microseconds: $0 * 1_000_000), of: "garden") }
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let order = try await site.next(session).order
            #expect(order.job == "f" && order.upload == nil && order.pictures == nil)
            #expect(order.video?.kind == .film && order.video?.pictures == 3 && order.video?.film == FilmStyle())
            let batch = try #require(order.batch)
            let first = try await site.scheduler.pictures(of: batch, after: nil)
            #expect(first.frames.map(\.id) == Array(ids.prefix(2)))
            let file = try await site.scheduler.file(of: ids[1], in: batch)
            #expect(try await file.read(0..<file.bytes) == Array("\(ids[1])".utf8))
            // Of the next page.
            #expect(await problem { try await site.scheduler.file(of: ids[2], in: batch) }?.code == .notFound)
            let second = try await site.scheduler.pictures(of: batch, after: first.next)
            // Its reply was lost.
            _ = try await site.scheduler.pictures(of: batch, after: first.next)
            #expect(second.frames.map(\.id) == [ids[2]] && second.next == nil)
            _ = try await site.scheduler.file(of: ids[2], in: batch)
            #expect(await problem { try await site.scheduler.file(of: ids[0], in: batch) }?.code == .notFound)
            #expect(await problem { try await site.scheduler.recording(of: batch) }?.code == .notFound)
            for (part, shown) in [(0.25, 0.25), (0.75, 0.75), (0.5, 0.75)] {
                var report = WorkReport()
                report.progress = part
                try await site.scheduler.report(report, on: batch)
                let job = try await site.scheduler.job("f")
                #expect(job.state == .running && job.running == 1 && job.progress == shown)
            }
            // Of three pictures with a byte each.
            let large = await problem { try await site.scheduler.receive([1], at: 3 + (64 << 20), of: batch) }
            #expect(large?.field == "offset")
            try await site.scheduler.receive([1, 2], at: 0, of: batch)
            try await site.scheduler.receive([3], at: 2, of: batch)
            let video = try await site.finishVideo(order)
            let entry = try #require(site.store.entries.withLock { $0["f"] })
            #expect(entry.result == video && entry.received == [1, 2, 3])
            let read = try #require(entry.read)
            #expect(read.count == 3 && read.poster == ids[1])
            #expect(read.from == Timestamp(microseconds: 0) && read.until == Timestamp(microseconds: 2_000_000))
            let job = try await site.scheduler.job("f")
            #expect(job.state == .done && job.frame != nil && job.attempts == 0 && job.nextAttempt == nil)
            // A report whose reply was lost.
            #expect(await problem { try await site.finishVideo(order) }?.code == .notFound)
            #expect(await site.orders(session).isEmpty)
        }
        let texts = site.journal.events(after: 0).map(\.detail)
        #expect(
            texts == ["The film f of garden has begun: 3 pictures.", "The film f of garden is done: 3 pictures."]
        )
    }

    @Test func `one film or clip is made at a time, in a place of its own, beside uploads`() async throws {
        let site = JobSite(stores: [FakeJobStore("default"), FakeJobStore("usb")])
        site.store.add("f", .film) { $0.priority = 1 }
        site.store.add("c", .clip)
        site.stores[1].add("g", .film) { $0.priority = 9 }
        for id in ["a", "b", "d"] { site.store.add(id, pictures: 1) { $0.priority = -1 } }
        try await site.run {
            try #require(await site.clock.reaches { try await site.scheduler.jobs().jobs.count == 6 })
            await site.clock.settle()
            let session = try site.scheduler.connect("uid 1")
            let first = await site.orders(session)
            #expect(Set(first.map(\.job)) == ["g", "a", "b"])
            try await site.finishVideo(try #require(first.first { $0.job == "g" }))
            let second = await site.orders(session)
            #expect(second.map(\.job) == ["f"])
            try await site.finishVideo(try #require(second.first))
            #expect(await site.orders(session).map(\.job) == ["c"])
        }
    }

    @Test func `a paused film is stopped while its pictures are piped, and begins again`() async throws {
        let site = JobSite()
        site.store.add("f", .film)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let order = try await site.next(session).order
            let batch = try #require(order.batch)
            #expect(try await site.scheduler.change("f", by: .pause).state == .paused)
            #expect(try await site.next(session).order == WorkOrder(.stop, batch: batch))
            let scheduler = site.scheduler
            #expect(await problem { try await scheduler.pictures(of: batch, after: nil) }?.code == .notFound)
            #expect(await problem { try await scheduler.receive([1], at: 0, of: batch) }?.code == .notFound)
            // It was made meanwhile: the pause counts.
            try await site.finishVideo(order)
            #expect(site.store.job("f")?.state == .paused)
            #expect(site.store.entries.withLock { $0["f"]?.result } == nil)
            #expect(try await scheduler.change("f", by: .resume).attempts == 0)
            let again = try await site.next(session).order
            #expect(again.job == "f" && again.batch != batch)
            #expect(try await scheduler.change("f", by: .cancel).state == .cancelled)
            #expect(try await site.next(session).order.action == .stop)
        }
        #expect(site.events == [.jobBegan])
    }

    @Test func `a film that is being stored is not stopped, made again or stored twice`() async throws {
        let site = JobSite()
        site.store.add("f", .film)
        site.store.add("g", .film) { $0.priority = -1 }
        let clock = site.clock
        site.store.storing.withLock { $0 = { try? await clock.sleep(for: .seconds(30)) } }
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let order = try await site.next(session).order
            async let stored = site.finishVideo(order)
            try await clock.sleep(for: .seconds(2))
            #expect(await problem { try await site.finishVideo(order) }?.code == .notFound)
            // The worker has gone, and another has come.
            session.end()
            let other = try site.scheduler.connect("uid 2")
            #expect(await site.orders(other).isEmpty)
            _ = try await stored
            #expect(try await site.next(other).order.job == "g")
        }
        #expect(site.store.job("f")?.state == .done)
        #expect(site.events == [.jobBegan, .jobDone, .jobBegan])
    }

    @Test func `a film that cannot be stored is made again after a pause`() async throws {
        let site = JobSite()
        site.store.add("f", .film)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let order = try await site.next(session).order
            let full = Problem(.spoolFull, "The disk is full.", remedy: "Delete something.")
            site.store.failure.withLock { $0 = full }
            #expect(await problem { try await site.finishVideo(order) }?.code == .spoolFull)
            site.store.failure.withLock { $0 = nil }
            let job = try await site.scheduler.job("f")
            #expect(job.state == .pending && job.attempts == 1 && job.error == "The disk is full. Delete something.")
            #expect(job.nextAttempt != nil)
            let (again, waited) = try await site.next(session)
            #expect(again.job == "f" && waited > .seconds(2), "\(waited)")
            try await site.finishVideo(again)
            #expect(try await site.scheduler.job("f").error == nil)
        }
        #expect(site.events == [.jobBegan, .jobDone])
    }

    @Test func `failed attempts are repeated with growing pauses, and are a fault from the third`() async throws {
        let site = JobSite()
        site.store.add("f", .film)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            for attempt in 1...5 {
                let (order, waited) = try await site.next(session)
                let pause = Job.firstPause.backoff(after: attempt - 2, upTo: Job.longestPause)
                #expect(attempt == 1 || waited >= pause * 0.45, "\(attempt): \(waited)")
                try await site.fail(order, "ffmpeg was killed.")
                #expect(try await site.scheduler.job("f").attempts == attempt)
                #expect(site.reasons.contains(.jobFailed) == (attempt >= JobPause.patience))
            }
            let reason = try #require(site.scheduler.conditions().first)
            #expect(reason.detail == "The film f of garden fails. ffmpeg was killed.")
            #expect(reason.remedy == "See “tintype jobs” for the error; it is tried again by itself.")
            _ = try await site.scheduler.change("f", by: .retry)
            #expect(try await site.next(session).waited < .seconds(4))
        }
    }

    @Test func `a film is given up after a minute without a request of the worker`() async throws {
        let site = JobSite()
        site.store.add("f", .film)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let batch = try #require(try await site.next(session).order.batch)
            for _ in 0..<3 {
                try await site.clock.sleep(for: .seconds(40))
                try await site.scheduler.report(WorkReport(), on: batch)
            }
            let (order, waited) = try await site.next(session)
            #expect(order == WorkOrder(.stop, batch: batch) && waited >= .seconds(59), "\(waited)")
            let job = try await site.scheduler.job("f")
            #expect(job.attempts == 1 && job.error == "The worker did not answer.")
            #expect(try await site.next(session).order.job == "f")
        }
    }

    @Test func `a fatal fault fails the film until it is retried`() async throws {
        let site = JobSite()
        site.store.add("f", .film)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            for _ in 0..<2 {
                try await site.fail(try await site.next(session).order, "ffmpeg is not installed.", isFatal: true)
                #expect(await site.orders(session).isEmpty)
                #expect(site.store.job("f")?.error == "ffmpeg is not installed." && site.reasons == [.jobFailed])
                // The worker may have it already.
                #expect([.pending, .running].contains(try await site.scheduler.change("f", by: .retry).state))
            }
            try await site.finishVideo(try await site.next(session).order)
        }
        #expect(site.events == [.jobBegan, .jobFailed, .jobFailed, .jobDone])
        let text = site.journal.events(after: 0).first { $0.kind == .jobFailed }?.detail
        #expect(text == "The film f of garden has failed. ffmpeg is not installed.")
    }

    @Test func `a clip waits for its recording, which has its commands and its progress`() async throws {
        let site = JobSite()
        site.recordings.active.withLock { $0["c"] = 0.5 }
        site.store.add("c", .clip)
        try await site.run {
            try await site.clock.sleep(for: .seconds(65))
            // It does not wait for a worker yet.
            #expect(site.reasons.isEmpty)
            let session = try site.scheduler.connect("uid 1")
            #expect(await site.orders(session).isEmpty)
            let job = try await site.scheduler.job("c")
            #expect(job.state == .running && job.progress == 0.5 && job.running == 1)
            #expect(try await site.scheduler.change("c", by: .pause).state == .paused)
            #expect(try await site.scheduler.change("c", by: .resume).state == .running)
            site.store.failure.withLock { $0 = Problem(.spoolUnavailable, "It is gone.", remedy: "Mount it.") }
            for command in [JobState.Event.pause, .cancel] {
                #expect(await problem { try await site.scheduler.change("c", by: command) } != nil)
            }
            site.store.failure.withLock { $0 = nil }
            // Not what the spool has refused.
            #expect(site.recordings.applied == [.pause, .resume])
            site.recordings.active.withLock { $0 = [:] }
            let (order, waited) = try await site.next(session)
            #expect(order.video?.kind == .clip && order.video?.bytes == 100 && waited < .seconds(4))
            let batch = try #require(order.batch)
            for _ in 0..<3 { #expect(try await site.scheduler.recording(of: batch).bytes == 1) }
            // Its pictures are not counted for each part.
            #expect(site.store.recordings.withLock { $0 } == 1)
            #expect(await problem { try await site.scheduler.pictures(of: batch, after: nil) }?.code == .notFound)
            try await site.scheduler.receive([1], at: 100 + (64 << 20) - 1, of: batch)
            for offset in [100 + 64 << 20, Int.max] {
                let large = await problem { try await site.scheduler.receive([1], at: offset, of: batch) }
                #expect(large?.field == "offset")
            }
            // To the worker, not to a recording.
            _ = try await site.scheduler.change("c", by: .pause)
            #expect(site.recordings.applied == [.pause, .resume])
        }
        #expect(
            site.journal.events(after: 0).map(\.detail) == ["The clip c of garden is recorded, and its file is made."]
        )
    }

    @Test func `a clip without a whole picture fails, and holds up no other job`() async throws {
        let site = JobSite()
        site.store.add("c", .clip)
        site.store.add("a", pictures: 1) { $0.priority = -1 }
        site.store.entries.withLock { $0["c"]?.video = nil }
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            #expect(try await site.next(session).order.job == "a")
            await site.clock.settle()
            let job = try await site.scheduler.job("c")
            #expect(job.state == .failed && job.error == "The recording has no whole picture. Record again.")
        }
        #expect(site.events.count { $0 == .jobFailed } == 1)
    }

    @Test func `films and clips that wait a minute without a worker are a fault`() async throws {
        let site = JobSite()
        site.store.add("f", .film)
        site.store.add("c", .clip)
        site.store.add("d", .clip)
        try await site.run {
            try await site.clock.sleep(for: .seconds(70))
            let reason = try #require(site.scheduler.conditions().first)
            #expect(reason.detail == "1 film waits, 2 clips wait, and no worker is connected.")
            site.store.add("a", pictures: 2)
            site.scheduler.wake()
            #expect(
                await site.clock.reaches {
                    site.scheduler.conditions().first?.detail
                        == "2 pictures wait for an upload, 1 film waits, 2 clips wait, and no worker is connected."
                }
            )
        }
    }

    @Test func `a film goes to the spool of its camera unless the request names one`() async throws {
        var garden = CameraConfiguration(name: "garden", source: .node(path: "/dev/video0"))
        garden.spool = "usb"
        let yard = CameraConfiguration(name: "yard", source: .node(path: "/dev/video1"))
        let site = JobSite(cameras: [garden, yard], stores: [FakeJobStore("default"), FakeJobStore("usb")])
        for (camera, spool, wanted) in [
            ("garden", nil, "usb"), ("garden", "default", "default"), ("yard", nil, "default"), ("old", "usb", "usb"),
        ] as [(String, String?, String)] {
            var request = FilmRequest(.is(.camera(camera)))
            request.spool = spool
            #expect(try await site.scheduler.addFilm(request).spool == wanted, "\(camera)")
        }
        let unknown = await problem { try await site.scheduler.addFilm(FilmRequest(.is(.camera("old")))) }
        #expect(unknown?.code == .invalidRequest && unknown?.field == "spool")
    }
}
