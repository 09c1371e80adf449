// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Past stills and bursts on the test pattern.
    @Suite struct RingStillTests {
        /// Runs `body` once the ring covers `span`.
        private static func run(
            _ patterns: String...,
            seconds: Int = 5,
            megabytes: Int = RingConfiguration.defaultMegabytes,
            warmth: Warmth = .hot,
            rendering: EncodingThreads.Rendering? = nil,
            filled span: Duration = .zero,
            _ body: (Stage) async throws -> Void
        ) async throws {
            let quality = StillRequest.defaultQuality
            let ring = RingConfiguration(seconds: seconds, megabytes: megabytes, quality: quality)
            let configuration = SessionConfiguration(warmth: warmth, ring: ring)
            try await Stage.run(list: patterns, configuration: configuration, rendering: rendering) { stage in
                try #require(await stage.fillsRing(span))
                try await body(stage)
            }
        }

        private static func burst(_ burst: Burst, _ stage: Stage, fresh: Freshness = .request) async throws(Problem)
            -> (list: StillList, stills: [Still])
        {
            let stills = KeptStills()
            let request = StillRequest(fresh: fresh, deadline: .seconds(10), burst: burst)
            let list = try await stage.burst(request) { stills.add($0) }
            // Sorted like the list; storage is concurrent.
            let all = Dictionary(uniqueKeysWithValues: stills.all.map { ($0.record.id, $0) })
            return (list, list.stills.compactMap { all[$0.id] })
        }

        /// The reach is read after the request, and may be longer by then.
        @Test(arguments: [3000, 3001, 40_000])
        func `the remedy of a ring that reaches back far enough is no time ago`(reach: Int) async throws {
            try await Self.run("MJPG:256x64@50") { stage in
                let problem = stage.stills.tooShort(.milliseconds(reach), .seconds(3))
                #expect(!"\(problem.detail) \(problem.remedy)".contains("-"), "\(problem)")
                #expect(problem.retryAfterMs?.duration == .seconds(3))
            }
        }

        @Test(arguments: ["MJPG:256x64@50", "YUYV:256x64@50", "NV12:256x64@50,undated", "MJPG:256x64@50,buffers=2"])
        func `a past still shows the frame exposed last before its moment`(_ pattern: String) async throws {
            try await Self.run(pattern, filled: .milliseconds(800)) { stage in
                for offset in [-500, -300, -60, 0] {
                    let before = TestClock().now
                    let still = try await stage.take(.at(.milliseconds(offset)))
                    let moment = Int64(before.nanoseconds / 1000) + Int64(offset) * 1000
                    let after = Int64(TestClock().now.nanoseconds / 1000) + Int64(offset) * 1000
                    let code = Int64(try still.code().microseconds)
                    // An undated frame was exposed at most one interval before it arrived.
                    #expect(code <= after)
                    let gaps = Int64(stage.counters.sequenceGaps)
                    #expect(code > moment - (pattern.contains("undated") ? 45_000 : 21_000) - gaps * 20_000)
                    #expect(still.record.ageMs.map { $0.duration >= .milliseconds(-offset) } == true)
                    #expect(still.record.waitedMs?.duration ?? .zero <= .milliseconds(200))
                }
            }
        }

        @Test func `rejects moments that the ring does not cover`() async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                let (remedy, field) = ("ring: {seconds: 5}", "fresh.atMs")
                await expectProblem(.configurationUnsupported, remedy: remedy, field: field) {
                    try await stage.take(.at(.milliseconds(-100)))
                }
                let past = Burst.span(from: .milliseconds(-100), to: .zero, nth: 1)
                await expectProblem(.configurationUnsupported) { try await Self.burst(past, stage) }
                #expect(stage.log.opened == 0)
            }
            try await Self.run("YUYV:256x64@50", warmth: .cold) { stage in
                await expectProblem(.frameNotFound, "is empty") { try await stage.take(.at(.milliseconds(-100))) }
                #expect(stage.log.opened == 0)
            }
            try await Self.run("YUYV:256x64@50", seconds: 60, filled: .milliseconds(100)) { stage in
                let early = await expectProblem(.frameNotFound, "has just begun to fill") {
                    try await stage.take(.at(.seconds(-50)))
                }
                #expect(early?.remedy.contains(/Ask again in [0-9.]+ s/) == true, "\(early?.remedy ?? "")")
                #expect(early?.retryAfterMs.map { $0.duration < .seconds(50) } == true)
            }
            try await Self.run("YUYV:256x64@50", seconds: 1, filled: .milliseconds(900)) { stage in
                // Waiting does not extend the ring beyond its configured seconds.
                await expectProblem(.frameNotFound, "30 s are asked for", remedy: "ring.seconds") {
                    try await stage.take(.at(.seconds(-30)))
                }
                let far = Burst.span(from: .seconds(-30), to: .zero, nth: 1)
                await expectProblem(.frameNotFound) { try await Self.burst(far, stage) }
            }
        }

        @Test func `a ring limited by memory suggests no retry`() async throws {
            try await Self.run("MJPG:1280x720@50,noise=64", seconds: 60, megabytes: 1) { stage in
                try #require(await TestClock().reaches { stage.session.ring?.isFull == true })
                let problem = await expectProblem(.frameNotFound, "reaches back", remedy: ".megabytes") {
                    try await stage.take(.at(.seconds(-50)))
                }
                #expect(problem?.retryAfterMs == nil)
            }
        }

        @Test(arguments: ["MJPG:256x64@50", "YUYV:256x64@50"], [1, 3])
        func `a span across the present has no gaps or repeats`(_ pattern: String, _ nth: Int) async throws {
            try await Self.run(pattern, filled: .milliseconds(800)) { stage in
                let began = Int64(TestClock().now.nanoseconds / 1000)
                let span = Burst.span(from: .milliseconds(-600), to: .milliseconds(600), nth: nth)
                let (list, stills) = try await Self.burst(span, stage)
                let codes = try stills.map { try $0.code() }
                let steps = zip(codes, codes.dropFirst()).map { Int($1.number) - Int($0.number) }
                // A busy machine loses frames and reports them: the driver as gaps, the ring in the next record.
                let gaps = Int(stage.counters.sequenceGaps)
                let told = stills.map { ($0.record.skipped ?? [:]).values.reduce(0, +) }
                let lost = gaps + nth * told.reduce(0, +)
                for (step, told) in zip(steps, told.dropFirst()) {
                    #expect(step >= nth && step <= nth * (1 + told) + gaps, "\(steps), gaps \(gaps), told \(told)")
                }
                #expect(codes.count >= (1180 / 20 - lost) / nth - 1)
                if lost == 0 {
                    #expect(Int64(try #require(codes.first).microseconds) <= began - 500_000)
                    #expect(Int64(try #require(codes.last).microseconds) >= began + 500_000)
                }
                #expect(Int64(try #require(codes.last).microseconds) <= began + 700_000)
                #expect(list.missed == nil)
                #expect(!stage.session.dispatcher.need.isInDemand)
            }
        }

        @Test func `a span in the past delivers only past frames`() async throws {
            try await Self.run("MJPG:256x64@50", filled: .milliseconds(900)) { stage in
                let burst = Burst.span(from: .milliseconds(-700), to: .milliseconds(-200), nth: 1)
                let (list, stills) = try await Self.burst(burst, stage)
                #expect((20...26).contains(list.stills.count) || stage.counters.sequenceGaps > 0)
                #expect(stills.allSatisfy { $0.record.ageMs?.duration ?? .zero >= .milliseconds(200) })
            }
        }

        @Test func `a burst from a past moment delivers consecutive frames`() async throws {
            try await Self.run("YUYV:256x64@50", filled: .milliseconds(600)) { stage in
                let count = Burst.count(40, every: .zero)
                let (list, stills) = try await Self.burst(count, stage, fresh: .at(.milliseconds(-400)))
                #expect(list.stills.count == 40)
                let numbers = try stills.map { Int(try $0.code().number) }
                let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
                #expect(steps.allSatisfy { $0 >= 1 })
                let dropped = Int(stage.session.status.ring?.dropped ?? 0)
                #expect(steps.reduce(0, +) - 39 <= Int(stage.counters.sequenceGaps) + dropped)
                // Each timed still has its own moment and shows another frame.
                let apart = Burst.count(4, every: .milliseconds(5))
                let (_, close) = try await Self.burst(apart, stage, fresh: .at(.milliseconds(-200)))
                #expect(Set(try close.map { try $0.code().number }).count == 4)
            }
        }

        @Test func `a frame is encoded once for the ring and stills`() async throws {
            let began = TestClock().now
            try await Self.run("YUYV:256x64@50", filled: .milliseconds(200)) { stage in
                for _ in 0..<10 { _ = try await stage.stills.take(StillRequest()) }
                let renders = stage.renders.all
                #expect(Set(renders).count == renders.count && renders.count > 10)
                let status = try #require(stage.session.status.ring)
                #expect(status.frames > 10 && status.bytes > 10_000 && status.bytes <= 32 << 20)
                // The encoding time is at least a microsecond per frame and at most that of both threads.
                #expect(status.encoded >= status.frames && status.encoded <= stage.renders.all.count)
                let spent = status.encodingMs.duration
                #expect(spent >= .microseconds(status.encoded) && spent <= (TestClock().now - began) * 2)
            }
        }

        @Test func `frames of a JPEG camera are kept unchanged without encoding`() async throws {
            try await Self.run("MJPG:256x64@50,no-dht,padding=90", filled: .milliseconds(600)) { stage in
                #expect(stage.renders.all.isEmpty && stage.counters.encoded == 0)
                let status = try #require(stage.session.status.ring)
                #expect(status.frames >= 15 && status.encoded == 0 && status.encodingMs.duration == .zero)
                let asked = TestClock().now
                let still = try await stage.stills.take(StillRequest(integrity: .raw))
                let ring = try #require(stage.session.ring)
                let found = ring.reader(from: asked)
                var reader = try #require(found, "the ring does not reach back")
                defer { ring.close(reader) }
                var kept: RingPicture?
                while kept == nil, case .picture(let picture, _) = ring.next(&reader) {
                    if picture.stamp.sequence == still.record.sequence { kept = picture }
                }
                let bytes = try #require(kept).bytes
                // The kept bytes include the padding and lack the tables that the camera leaves out.
                #expect(bytes == Exif.removed(from: still.picture))
                #expect(bytes.suffix(90).allSatisfy { $0 == 0 })
                #expect(stage.renders.all.count == 1)
            }
        }

        @Test func `a slow encoder drops ring frames`() async throws {
            let gate = Gate()
            try await Self.run("YUYV:256x64@100", rendering: gate.rendering) { stage in
                #expect(await TestClock().reaches { stage.counters.captured > 50 })
                let status = try #require(stage.session.status.ring)
                #expect(status.frames == 0 && status.dropped >= 40)
                #expect(stage.renders.all.count == 2)
                gate.open()
                #expect(await TestClock().reaches { (stage.session.status.ring?.frames ?? 0) > 10 })
            }
        }

        @Test func `a ring does not keep the camera open`() async throws {
            try await Self.run("YUYV:256x64@50", warmth: .linger(.milliseconds(300))) { stage in
                _ = try await stage.take()
                #expect(await TestClock().reaches { (stage.session.status.ring?.frames ?? 0) > 3 })
                #expect(await TestClock().reaches { stage.log.open == 0 })
                #expect(await TestClock().reaches { stage.session.status.ring?.frames == 0 })
                #expect(stage.log.opened == 1)
            }
        }

        @Test func `stopping the camera empties the ring`() async throws {
            try await Self.run("MJPG:256x64@50", filled: .milliseconds(200)) { stage in
                try await stage.session.stop()
                #expect(stage.session.status.ring?.frames == 0 && stage.session.status.ring?.bytes == 0)
                #expect(await failure { try await stage.take(.at(.milliseconds(-10))) }?.code == .frameNotFound)
            }
        }

        @Test func `the ring keeps frames from before an interruption`() async throws {
            try await Self.run("MJPG:256x64@50,lose-after=40", "MJPG:256x64@50") { stage in
                #expect(await TestClock().reaches { stage.log.opened == 2 && stage.counters.captured > 50 })
                let span = Burst.span(from: .milliseconds(-900), to: .milliseconds(100), nth: 1)
                let (_, stills) = try await Self.burst(span, stage)
                // The pattern restarts its count with each stream.
                let numbers = try stills.map { try $0.code().number }
                #expect(zip(numbers, numbers.dropFirst()).contains { $0 > $1 })
                let times = try stills.map { try $0.code().microseconds }
                #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
            }
        }

        @Test func `a damaged frame in the ring fails a still`() async throws {
            try await Self.run("MJPG:256x64@50,cut-every=1", filled: .milliseconds(300)) { stage in
                #expect(await failure { try await stage.take(.at(.milliseconds(-100))) }?.code == .corruptOnly)
            }
        }

        @Test func `a burst skips damaged frames in the ring`() async throws {
            try await Self.run("MJPG:256x64@50,cut-every=3", filled: .milliseconds(600)) { stage in
                let span = Burst.span(from: .milliseconds(-500), to: .zero, nth: 1)
                let (_, stills) = try await Self.burst(span, stage)
                #expect(try stills.map { try $0.code() }.count >= 12)
                #expect(stills.compactMap { $0.record.skipped?[.corrupt] }.reduce(0, +) >= 5)
            }
        }

        @Test func `the ring keeps no frames behind a closed shutter`() async throws {
            try await Self.run("MJPG:256x64@50,shutter") { stage in
                #expect(await TestClock().reaches { stage.counters.captured > 20 })
                #expect(stage.session.status.ring?.frames == 0)
            }
        }

        @Test func `stopping the camera ends a burst that waits for frames`() async throws {
            try await Self.run("MJPG:256x64@50", filled: .milliseconds(300)) { stage in
                async let taking = Self.burst(.span(from: .milliseconds(-200), to: .seconds(60), nth: 1), stage)
                #expect(await TestClock().reaches { stage.counters.stills > 15 })
                try await stage.session.stop()
                let (list, _) = try await taking
                #expect(list.missed?.map(\.code) == [.stopping])
                #expect(list.missed?.first?.index == list.stills.count)
            }
        }

        @Test func `a burst ends with the reason of a camera failure`() async throws {
            let patterns = ("MJPG:256x64@50,lose-after=60", "MJPG:256x64@50,gone")
            try await Self.run(patterns.0, patterns.1, warmth: .linger(.seconds(60))) { stage in
                _ = try await stage.take(settle: .never)
                try #require(await stage.fillsRing(.milliseconds(300)))
                let (list, _) = try await Self.burst(.span(from: .milliseconds(-200), to: .seconds(60), nth: 1), stage)
                #expect(list.stills.count >= 10 && list.missed?.map(\.code) == [.deviceLost])
            }
        }

        @Test func `a raw still from the past has a complete record`() async throws {
            try await Self.run("YUYV:256x64@50", filled: .milliseconds(200)) { stage in
                let request = StillRequest(fresh: .at(.milliseconds(-100)), integrity: .raw)
                let still = try await stage.stills.take(request)
                #expect((still.record.width, still.record.height) == (256, 64))
                #expect(still.record.capturedMonotonicNs.map { $0 / 1000 } == Int64(try still.code().microseconds))
                #expect(still.record.phasesMs?.encode.duration ?? .zero > .zero)
            }
        }
    }
}
