// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypeSystem

@testable import tintyped

/// Recordings of the test pattern into a store of the test, on ``TestClock``.
@Suite(.serialized)
struct ClipRecorderTests {
    /// Camera with twenty frames a second, and its recordings.
    struct Site: Sendable {
        let session: CaptureSession
        let recordings: Recordings
        let store = FakeClipStore()
        /// File of the option `faults=` of the pattern.
        let faults: String

        func record(_ length: Duration, before: Duration = .zero) async throws(Problem) -> Job {
            var request = ClipRequest()
            (request.forMs, request.beforeMs) = (Milliseconds(length), Milliseconds(before))
            let recorder = ClipRecorder(
                request: request,
                camera: "pattern",
                clock: TestClock(),
                control: RecordingControl(request, from: TestClock().now, by: TestClock())
            ) { [store] (id, _) throws(Problem) in
                store.create(id)
            } open: { [session, stops = session.stopCount] (start) throws(Problem) in
                let wanted = StillRequest(integrity: .tolerant, keep: false)
                return try await ClipFrames(session, wanted, from: start, ifStopped: stops)
            }
            return try await recordings.record(recorder)
        }

        func pass(_ time: Duration) async throws { try await TestClock().sleep(for: time) }

        /// Waits for the end of the only recording, and returns its file.
        func finished() async throws -> FakeClipStore.File {
            try #require(await reaches { recordings.isEmpty })
            let file = try #require(store.file)
            #expect(file.isClosed)
            return file
        }

        var errors: [String] { store.errors.withLock(\.self) }
        /// Frames that a busy machine may have lost.
        var gaps: Int { Int(session.status.counters.sequenceGaps + session.status.counters.superseded) }
    }

    func run(
        _ format: String = "MJPG:320x240@20",
        warmth: Warmth = .hot,
        hasRing: Bool = true,
        _ body: @escaping @Sendable (Site) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let spec = try PatternSpec("\(format),faults=\(folder.path)/faults")
        let ring = hasRing ? RingConfiguration(seconds: 10, quality: 90) : nil
        let session = CaptureSession(
            name: "pattern",
            configuration: SessionConfiguration(warmth: warmth, ring: ring),
            encoding: EncodingThreads(count: 1, clock: TestClock()),
            logger: LineRecorder().logger,
            clock: TestClock()
        ) { (calls) throws(DeviceError) in
            try PatternDevice(spec, name: "pattern", calls: calls, encoder: PatternEncoder().encode)
        }
        let site = Site(session: session, recordings: Recordings(), faults: "\(folder.path)/faults")
        try await running([site.recordings]) {
            if warmth == .hot { #expect(await reaches { session.status.counters.captured >= 60 }) }
            try await body(site)
        }
        #expect(await session.end(within: .patience))
        withExtendedLifetime(folder) {}
    }

    /// Expects the times of the drawn pictures, and no picture twice.
    func expectTimes(of file: FakeClipStore.File) throws {
        let (codes, times) = (try file.codes(), file.times)
        let first = try #require(codes.first)
        #expect(times.first == .zero)
        for (code, time) in zip(codes, times) {
            let drawn = Duration.microseconds(Int64(code.microseconds) - Int64(first.microseconds))
            #expect(drawn - time <= .milliseconds(1) && time - drawn <= .milliseconds(1))
        }
        #expect(zip(codes, codes.dropFirst()).allSatisfy { $0.number < $1.number })
    }

    @Test func `a camera has four recordings at a time`() async throws {
        try await run { site in
            var jobs: [Job] = []
            for _ in 0..<4 { jobs.append(try await site.record(.seconds(3600))) }
            let refusal = await problem { try await site.record(.seconds(1)) }
            #expect(refusal?.code == .tooManyRequests)
            site.recordings.apply(.cancel, jobs[0].id)
            #expect(await reaches { !site.recordings.isActive(jobs[0].id) })
            jobs.append(try await site.record(.seconds(3600)))
            for job in jobs { site.recordings.apply(.cancel, job.id) }
            #expect(await reaches { site.recordings.isEmpty })
        }
    }

    @Test(arguments: ["MJPG:320x240@20", "YUYV:320x240@20"])
    func `a clip has each frame before and after the request once`(format: String) async throws {
        try await run(format) { site in
            let job = try await site.record(.seconds(3), before: .seconds(2))
            #expect(job.kind == .clip && site.recordings.isActive(job.id))
            #expect(site.store.file.map { $0.times.count >= 1 && !$0.isClosed } == true)
            try await site.pass(.seconds(1))
            let progress = try #require(site.recordings.progress(job.id))
            #expect((0.5...0.7).contains(progress))
            let file = try await site.finished()
            try expectTimes(of: file)
            #expect(file.times.count >= 98 - site.gaps && file.times.count <= 102)
            #expect(!site.recordings.isActive(job.id) && site.recordings.progress(job.id) == nil)
            #expect(site.errors.isEmpty || site.gaps > 0)
        }
    }

    @Test func `a closed camera is opened, and the time counts from its first picture`() async throws {
        for hasRing in [true, false] {
            // It settles after one and a half seconds.
            try await run("YUYV:640x360@20,ramp=30", warmth: .cold, hasRing: hasRing) { site in
                _ = try await site.record(.seconds(3))
                let file = try await site.finished()
                try expectTimes(of: file)
                let last = try #require(file.times.last)
                #expect(last >= .milliseconds(2900 - 50 * site.gaps) && last <= .seconds(3))
                #expect(await reaches { site.session.status.state == .off })
            }
        }
    }

    @Test func `a pause leaves frames out and cuts its time`() async throws {
        try await run { site in
            let job = try await site.record(.seconds(4))
            try await site.pass(.seconds(1))
            site.recordings.apply(.pause, job.id)
            let paused = try #require(site.recordings.progress(job.id))
            try await site.pass(.seconds(30))
            #expect(site.recordings.progress(job.id) == paused && (0.2...0.3).contains(paused))
            site.recordings.apply(.resume, job.id)
            let file = try await site.finished()
            let (codes, times) = (try file.codes(), file.times)
            let steps = zip(codes, codes.dropFirst()).map { Int($1.number) - Int($0.number) }
            #expect(steps.count { $0 > 500 } == 1, "\(steps)")
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 < .milliseconds(300) })
            let last = try #require(times.last)
            #expect(last > .milliseconds(3500) && last <= .seconds(4))
            let cut = try #require(file.cut)
            #expect(cut >= .seconds(30) && cut < .seconds(31))
        }
    }

    @Test func `a cancelled recording ends at once`() async throws {
        try await run { site in
            let job = try await site.record(.seconds(3600))
            site.recordings.apply(.pause, job.id)
            try await site.pass(.seconds(5))
            let began = TestClock().now
            site.recordings.apply(.cancel, job.id)
            _ = try await site.finished()
            #expect(TestClock().now - began < .seconds(2) && site.errors.isEmpty)
        }
    }

    @Test func `an earlier end leaves out later frames`() async throws {
        try await run { site in
            let job = try await site.record(.seconds(3600))
            try await site.pass(.seconds(2))
            site.recordings.end(job.id, at: TestClock().now)
            let file = try await site.finished()
            let last = try #require(file.times.last)
            #expect(last <= .milliseconds(2100) && site.errors.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `a camera that is lost and returns is recorded again`(hasRing: Bool) async throws {
        try await run(hasRing: hasRing) { site in
            _ = try await site.record(.seconds(12))
            try await site.pass(.seconds(2))
            try Data("lose-after=0,gone".utf8).write(to: URL(filePath: site.faults), options: .atomic)
            #expect(await reaches { site.session.status.state.reason != nil })
            try await site.pass(.seconds(3))
            try Data().write(to: URL(filePath: site.faults), options: .atomic)
            let file = try await site.finished()
            let times = file.times
            let steps = zip(times, times.dropFirst()).map { $1 - $0 }
            #expect(steps.allSatisfy { $0 > .zero } && steps.count { $0 > .seconds(2) } == 1, "\(steps)")
            let last = try #require(times.last)
            #expect(last > .seconds(10))
            #expect(site.store.jobs.withLock(\.count) == 1)
        }
    }

    @Test func `a stop by command ends the recording early`() async throws {
        try await run { site in
            _ = try await site.record(.seconds(3600))
            try await site.pass(.seconds(1))
            try await site.session.stop()
            _ = try await site.finished()
            #expect(site.errors == ["The recording ended early: The camera pattern was stopped."])
            try await site.pass(.seconds(5))
            #expect(site.session.status.state == .off)
        }
    }

    @Test func `a failed write and the limit of bytes end the recording early`() async throws {
        let full = Problem(.spoolFull, "It is full.", remedy: "Make room.")
        let faults: [(String, @Sendable (FakeClipStore) -> Void)] = [
            ("It is full.", { $0.file?.contents.withLock { $0.failure = full } }),
            ("it has 2G.", { $0.file?.contents.withLock { $0.earlierBytes = ClipRecorder.mostBytes - 1000 } }),
        ]
        for (reason, fault) in faults {
            try await run { site in
                _ = try await site.record(.seconds(3600))
                try await site.pass(.seconds(1))
                fault(site.store)
                let file = try await site.finished()
                let last = try #require(file.times.last)
                #expect(last < .seconds(4))
                #expect(site.errors.first?.hasPrefix("The recording ended early: \(reason)") == true)
            }
        }
    }

    @Test func `damaged frames are left out and counted`() async throws {
        try await run("MJPG:320x240@20,cut-every=10", hasRing: false) { site in
            _ = try await site.record(.seconds(4))
            let file = try await site.finished()
            try expectTimes(of: file)
            #expect(file.times.count > 60)
            #expect(site.errors.first?.contains("frames were left out") == true)
        }
    }

    @Test func `a problem of the camera or of the spool is that of the request`() async throws {
        try await run("YUYV:256x64@20,busy", warmth: .cold, hasRing: false) { site in
            let problem = await #expect(throws: Problem.self) { _ = try await site.record(.seconds(1)) }
            #expect(problem?.code == .cameraBusy && site.store.file == nil)
            #expect(await reaches { site.recordings.isEmpty })
        }
        let gone = Problem(.spoolUnavailable, "It is gone.", remedy: "Mount it.")
        let faults: [@Sendable (FakeClipStore) -> Void] = [
            { $0.failure.withLock { $0 = gone } }, { $0.contents.withLock { $0.failure = gone } },
        ]
        for fault in faults {
            try await run { site in
                fault(site.store)
                let problem = await #expect(throws: Problem.self) { _ = try await site.record(.seconds(1)) }
                #expect(problem?.code == .spoolUnavailable)
                #expect(await reaches { site.recordings.isEmpty })
                #expect(site.store.file?.isRemoved == true && site.errors.isEmpty)
            }
        }
    }
}
