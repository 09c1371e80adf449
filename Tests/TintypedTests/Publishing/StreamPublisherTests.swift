// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypeSystem

@testable import tintyped

/// Publishing of every frame of a stream to a store of the test.
struct StreamPublisherTests {
    /// Camera with a publisher of its frames.
    struct Line: Sendable {
        let session: CaptureSession
        let publication: Publication
        let publisher: StreamPublisher
        let lines: LineRecorder

        var status: PublishingStatus { publication.status }
        var camera: CameraStatus { session.status }
        var missed: [String: UInt64] { status.missed ?? [:] }

        /// Log lines about publishing, without their metadata.
        var told: [String] {
            lines.lines.compactMap { line in
                let isTold = line.contains("no frame") || line.contains("frames are published again")
                return isTold ? line.split(separator: " camera=").first.map(String.init) : nil
            }
        }
    }

    /// Runs a publisher during `body`.
    ///
    /// The first opening of the camera uses `specs[0]`, the next one `specs[1]` and so on; further ones use the last.
    private func run(
        _ specs: String...,
        nth: Int = 1,
        reject: Set<ImageDefect> = [],
        hours: DayHours? = nil,
        renewal: Duration = .seconds(20),
        clock: any MonotonicClock = TestClock(),
        store: @escaping StreamPublisher.Store = { (still, _) throws(Problem) in still.record },
        _ body: @escaping @Sendable (Line) async throws -> Void
    ) async throws {
        let specs = try specs.map { try PatternSpec($0) }
        let openings = Mutex(0)
        let lines = LineRecorder()
        let session = CaptureSession(
            name: "pattern",
            configuration: SessionConfiguration(warmth: .cold),
            encoding: EncodingThreads(count: 1, clock: TestClock()),
            logger: LineRecorder().logger,
            clock: clock
        ) { (calls) throws(DeviceError) in
            openings.withLock { $0 += 1 }
            let opening = min(openings.withLock(\.self), specs.count) - 1
            return try PatternDevice(specs[opening], name: "pattern", calls: calls, encoder: PatternEncoder().encode)
        }
        let publication = Publication(
            camera: "pattern",
            schedule: "all",
            counters: session.published,
            logger: lines.logger,
            tell: { _ in }
        )
        let publisher = StreamPublisher(
            session: session,
            nth: { nth },
            request: StillRequest(settle: .never, reject: reject),
            times: hours.map { SlotTimes(every: .seconds(1), hours: $0) },
            keeper: CameraKeeper(session: session, owner: "publish", publication: publication, renewal: renewal),
            publication: publication,
            store: store
        )
        let line = Line(session: session, publication: publication, publisher: publisher, lines: lines)
        try await running([publisher]) { try await body(line) }
        // A shutdown is neither a problem nor a warning.
        #expect(line.status.problem?.code != .stopping)
        #expect(!line.told.contains { $0.contains("given up") }, "\(line.told)")
        #expect(line.camera.counters.missedSlots == line.missed.values.reduce(0, +))
        #expect(await session.end(within: .patience))
    }

    @Test func `a shutdown during the wait for a frame is not a problem`() async throws {
        // Enough time to stop between two frames.
        try await run("YUYV:256x64@0.5") { line in
            #expect(await reaches { line.status.published >= 1 })
        }
    }

    @Test func `does not reopen a stopped camera`() async throws {
        try await run("YUYV:256x64@20", renewal: .milliseconds(20)) { line in
            #expect(await reaches { line.status.published >= 3 })
            try await line.session.stop()
            let opened = line.camera.counters.opened
            // Time of twenty lease renewals.
            try await TestClock().sleep(for: .milliseconds(400))
            #expect(line.camera.state == .off && line.camera.counters.opened == opened)
            let published = line.status.published
            _ = try await line.session.start()
            #expect(await reaches { line.status.published > published + 3 })
            #expect(await reaches { line.camera.holds.map(\.owner) == ["publish"] })
        }
    }

    @Test func `does not open a camera stopped before its daily window`() async throws {
        let clock = WallClock(moment("2026-11-21 11:30"))
        try await run("YUYV:256x64@20", hours: DayHours("12:00-13:00"), clock: clock) { line in
            #expect(await reaches { line.status.next == moment("2026-11-21 12:00") })
            try await line.session.stop()
            clock.set(moment("2026-11-21 12:00"))
            #expect(await reaches { line.status.next == nil })
            // Time for several checks.
            try await TestClock().sleep(for: .seconds(5))
            #expect(line.camera.counters.opened == 0 && line.camera.state == .off && line.status.published == 0)
            _ = try await line.session.start()
            #expect(await reaches { line.status.published > 3 })
        }
    }

    @Test func `reports a busy camera as the problem`() async throws {
        try await run("YUYV:256x64@20,busy") { line in
            #expect(await reaches { line.status.problem?.code == .cameraBusy })
            #expect(line.status.published == 0 && line.status.missed == nil)
        }
    }

    /// A stream without a usable frame, and the expected report.
    struct Useless: CustomTestStringConvertible, Sendable {
        let spec: String
        var nth = 1
        var reject: Set<ImageDefect> = []
        let reason: SkipReason
        let code: ProblemCode
        var testDescription: String { "\(spec), nth \(nth)" }
    }

    @Test(arguments: [
        Useless(spec: "MJPG:256x64@20,cut-every=1", reason: .corrupt, code: .corruptOnly),
        Useless(spec: "MJPG:256x64@20,cut-every=1", nth: 5, reason: .corrupt, code: .corruptOnly),
        Useless(spec: "YUYV:256x64@20,short-every=1", nth: 5, reason: .short, code: .corruptOnly),
        Useless(spec: "YUYV:256x64@20,dark", reject: [.black], reason: .black, code: .noSignal),
    ])
    func `reports the frames of a stream in which none is usable`(_ item: Useless) async throws {
        try await run(item.spec, nth: item.nth, reject: item.reject) { line in
            // More than one report, without any published frame.
            #expect(await reaches { line.missed[item.reason.rawValue] ?? 0 > 40 / UInt64(item.nth) })
            #expect(await reaches { line.status.problem?.code == item.code })
            #expect(line.status.published == 0)
        }
    }

    @Test(arguments: [("MJPG:256x64@0.5,cut-every=2", SkipReason.corrupt), ("YUYV:256x64@0.5,short-every=2", .short)])
    func `a single damaged frame of a slow camera is missed but no problem`(
        _ spec: String,
        _ reason: SkipReason
    ) async throws {
        try await run(spec) { line in
            let isReached = await reaches { line.missed[reason.rawValue] ?? 0 >= 3 && line.status.published >= 3 }
            #expect(isReached, "\(line.status)")
            let told = line.told
            #expect(!told.isEmpty && !told.contains { $0.contains("only damaged") }, "\(told)")
        }
    }

    @Test func `damaged frames between those of the schedule are no problem`() async throws {
        try await run("YUYV:256x64@20,short-every=7", nth: 200) { line in
            #expect(await reaches { line.status.published >= 3 })
            #expect(!line.told.contains { $0.contains("only damaged") }, "\(line.told)")
        }
    }

    @Test func `publishes again after a lost camera is back`() async throws {
        let (away, gone) = ("YUYV:256x64@20,lose-after=10", "YUYV:256x64@20,gone")
        // Several attempts fail.
        try await run(away, gone, gone, gone, gone, "YUYV:256x64@20") { line in
            #expect(await reaches { line.status.published > 0 })
            #expect(await reaches { line.status.problem?.code == .deviceLost })
            let published = line.status.published
            let isBack = await reaches { line.status.published > published && line.status.problem == nil }
            #expect(isBack, "\(line.status) \(line.camera.state) \(line.told)")
            #expect(line.camera.holds.map(\.owner) == ["publish"])
            // The status changes just before the log.
            #expect(await reaches { line.told.last == "<6>frames are published again" })
            let told = line.told
            #expect(told.filter { $0.hasPrefix("<4>no frames") }.count == 1, "\(told)")
            #expect(told.first?.hasPrefix("<4>no frames published: ") == true, "\(told)")
        }
    }

    @Test func `a slow disk loses frames of the schedule, not of the camera`() async throws {
        let stored = Mutex((now: 0, most: 0))
        let store: StreamPublisher.Store = { (still, _) throws(Problem) in
            stored.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { stored.withLock { $0.now -= 1 } }
            // A disk that takes half a second per write.
            try? await TestClock().sleep(until: TestClock().now + .milliseconds(500), tolerance: nil)
            if still.record.sequence % 5 == 0 { throw Problem(.spoolFull, "It is full.", remedy: "Make room.") }
            return still.record
        }
        try await run("YUYV:256x64@50", store: store) { line in
            #expect(await reaches { (line.missed["overrun"] ?? 0) > 30 && (line.missed["spool-full"] ?? 0) > 1 })
            let (status, counters) = (line.status, line.camera.counters)
            #expect(stored.withLock(\.most) == BurstOutput.mostStoredAtOnce)
            // Capture continued, and lost frames were not encoded.
            #expect(counters.captured >= counters.encoded + 30)
            let overrun = status.lastMissed?.first { $0.reason == "overrun" }
            #expect(overrun?.detail == "Earlier frames were still being encoded or stored.")
        }
    }

    @Test func `keeps the camera open only in the daily window`() async throws {
        let clock = WallClock(moment("2026-11-21 12:30"))
        try await run("YUYV:256x64@50", hours: DayHours("12:00-13:00"), clock: clock) { line in
            #expect(await reaches { line.status.published >= 5 })
            #expect(line.status.next == nil)
            clock.set(moment("2026-11-21 13:00"))
            #expect(await reaches { line.status.next == moment("2026-11-22 12:00") })
            #expect(line.camera.holds.isEmpty)
            #expect(await reaches { line.camera.state == .off })
            let published = line.status.published
            clock.set(moment("2026-11-22 12:00"))
            #expect(await reaches { line.status.published > published + 2 })
        }
    }
}
