// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypeSystem

extension SessionTests {
    struct FreshnessTests {
        @Test(
            arguments: [
                "YUYV:256x64@200", "NV12:256x64@200,undated", "GREY:256x64@200,end-of-frame", "MJPG:256x64@100",
                "YUYV:256x64@200,buffers=2", "YUYV:256x64@200,arrival-stamps,lead=14ms",
                "YUYV:256x64@200,undated,flag-every=3",
            ]
        )
        func `a thousand stills show moments after their requests`(_ pattern: String) async throws {
            try await Stage.run(pattern) { stage in
                _ = try await atOnce(10) { _ in
                    for _ in 0..<100 {
                        let before = TestClock().now
                        let still = try await stage.take()
                        #expect(try still.code().microseconds >= UInt64(before.nanoseconds / 1000))
                        #expect(still.record.ageMs.map { $0.duration >= .zero } == true)
                    }
                }
                #expect(stage.counters.stills == 1000)
            }
        }

        @Test(arguments: [
            "YUYV:256x64@50", "MJPG:256x64@50", "GREY:256x64@50,end-of-frame", "NV12:256x64@50,undated",
            "YUYV:256x64@50,arrival-stamps,lead=25ms", "YUYV:256x64@50,arrival-stamps,lead=55ms",
            "GREY:256x64@20,arrival-stamps,lead=70ms,exposure=120ms",
        ])
        func `the capture time matches the time drawn in the picture`(_ pattern: String) async throws {
            try await Stage.run(pattern) { stage in
                for fresh in [Freshness.request, .next, .latest, .request] {
                    let still = try await stage.take(fresh)
                    let told = try #require(still.record.capturedMonotonicNs)
                    let drawn = Int64(try still.code().microseconds)
                    switch still.record.timestampSource {
                    case .startOfExposure: #expect(told / 1000 == drawn)
                    case .endOfFrame, .arrival:
                        let uncertainty = try #require(still.record.uncertaintyMs).duration
                        #expect(abs(told / 1000 - drawn) <= uncertainty.nanosecondCount / 1000)
                        #expect(stage.session.status.leadOrigin == .assumed)
                    case .dequeue:
                        // The dequeue time, some time after the exposure.
                        #expect(told / 1000 > drawn && told <= TestClock().now.nanoseconds)
                    }
                    let wall = TestClock().wall(at: MonotonicTime(nanoseconds: told)).microseconds
                    #expect(abs(wall - still.record.capturedAt.microseconds) < 100_000)
                }
            }
        }

        @Test func `a configured lead applies from the first frame on`() async throws {
            let configuration = SessionConfiguration(lead: .fixed(.milliseconds(90)))
            try await Stage.run("YUYV:256x64@50,arrival-stamps,lead=90ms", configuration: configuration) { stage in
                let still = try await stage.take()
                let told = try #require(still.record.capturedMonotonicNs)
                let uncertainty = try #require(still.record.uncertaintyMs).duration
                #expect(abs(told / 1000 - Int64(try still.code().microseconds)) <= uncertainty.nanosecondCount / 1000)
                #expect(uncertainty == .milliseconds(5))
                #expect(still.record.leadMs == Milliseconds(.milliseconds(90)))
                #expect(stage.session.status.leadMs == Milliseconds(.milliseconds(90)))
                #expect(stage.session.status.leadOrigin == .configured)
            }
        }

        @Test(arguments: ["YUYV:256x64@20", "YUYV:256x64@20,undated"])
        func `next delivers a frame that arrives after the request`(_ pattern: String) async throws {
            try await Stage.run(pattern) { stage in
                var last = try await stage.take(.next).code().number
                for _ in 0..<10 {
                    let before = TestClock().now
                    let code = try await stage.take(.next).code()
                    #expect(code.number > last)
                    #expect(code.microseconds + 60_000 >= UInt64(before.nanoseconds / 1000))
                    last = code.number
                }
            }
        }

        @Test func `latest encodes the held frame once`() async throws {
            try await Stage.run("YUYV:256x64@2") { stage in
                _ = try await stage.take(.latest)
                let start = TestClock().now
                var sequences: Set<UInt32> = []
                for _ in 0..<50 { sequences.insert(try await stage.take(.latest).record.sequence) }
                let frames = (TestClock().now - start) / .milliseconds(500)
                // Fifty waits for a frame would take 25 s.
                #expect(Double(sequences.count) <= frames + 2)
                #expect(stage.renders.all.count <= sequences.count + 1)
            }
        }

        @Test func `maxAge accepts younger frames only`() async throws {
            try await Stage.run("YUYV:256x64@5") { stage in
                let held = try await stage.take(.request)
                let again = try await stage.take(.maxAge(.seconds(60)))
                #expect(again.record.sequence >= held.record.sequence)
                let before = TestClock().now
                let fresh = try await stage.take(.maxAge(.zero))
                #expect(try fresh.code().microseconds >= UInt64(before.nanoseconds / 1000))
                #expect(fresh.record.sequence > again.record.sequence)
            }
        }

        @Test func `the first frame of an undated stream is never delivered`() async throws {
            for fresh in [Freshness.request, .next, .latest, .maxAge(.seconds(60))] {
                try await Stage.run("YUYV:256x64@50,undated", warmth: .cold) { stage in
                    let still = try await stage.take(fresh)
                    #expect(try still.code().number >= 2)
                    #expect(still.record.timestampSource == .dequeue)
                    #expect(still.record.skipped?[.undated, default: 0] ?? 0 >= 1)
                }
            }
        }
    }
}
