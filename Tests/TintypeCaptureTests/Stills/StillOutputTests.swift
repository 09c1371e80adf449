// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct StillOutputTests {
        @Test func `a record describes the picture and its phases`() async throws {
            try await Stage.run("NV12:256x64@20", warmth: .cold) { stage in
                let still = try await stage.take()
                #expect(still.record.camera == "pattern")
                #expect(still.record.bytes == still.picture.count)
                #expect((still.record.width, still.record.height) == (256, 64))
                #expect(still.record.stored == .no)
                #expect(still.record.timestampSource == .startOfExposure)
                let phases = try #require(still.record.phasesMs)
                #expect(phases.open.duration > .zero)
                #expect(phases.wait.duration > .zero)
                #expect(phases.encode.duration > .zero)
                #expect(try #require(still.record.waitedMs).duration >= .milliseconds(40))
                #expect(try #require(still.record.ageMs).duration < .seconds(5))
                let now = TestClock().wall
                #expect((now - .seconds(5)...now).contains(still.record.capturedAt))
            }
        }

        @Test func `a still fails at its deadline`() async throws {
            try await Stage.run("YUYV:256x64@0.1") { stage in
                let start = TestClock().now
                await expectProblem(.deadlineExceeded, "150 ms", within: .seconds(3)) {
                    try await stage.take(deadline: .milliseconds(150))
                }
                #expect(TestClock().now - start >= .milliseconds(150))
                #expect(!stage.session.dispatcher.need.isInDemand)
            }
        }

        @Test func `only stored copies get new ids`() async throws {
            try await Stage.run("YUYV:256x64@0.5") { stage in
                func take(quality: Int = 80, keep: Bool) async throws -> StillRecord {
                    let rendering = ImageOptions(quality: quality)
                    return try await stage.stills.take(
                        StillRequest(fresh: .maxAge(.seconds(60)), settle: .never, rendering: rendering, keep: keep)
                    ).record
                }
                let first = try await take(keep: false)
                let second = try await take(keep: false)
                #expect(first.sequence == second.sequence)
                #expect(first.id == second.id && first.capturedAt == second.capturedAt)
                // The first stored copy takes over the id of the picture; later copies get new ones.
                let copies = try await [take(keep: true), take(keep: true), take(keep: true)]
                #expect(copies.map(\.sequence) == [first.sequence, first.sequence, first.sequence])
                #expect(copies[0].id == first.id)
                #expect(Set(copies.map(\.id)).count == 3)
                #expect(try await take(keep: false).id == first.id)
                // Another options is another picture.
                let other = try await take(quality: 20, keep: false)
                #expect(other.sequence == first.sequence && other.id != first.id)
            }
        }

        @Test func `a cancelled request is withdrawn at once`() async throws {
            try await Stage.run("YUYV:256x64@0.1") { stage in
                // The fastest of several: the machine may be busy.
                var times: [Duration] = []
                for _ in 0..<10 {
                    let task = Task { try await stage.take(deadline: .seconds(60)) }
                    #expect(await TestClock().reaches { stage.session.dispatcher.need.isInDemand })
                    let start = TestClock().now
                    task.cancel()
                    #expect(await failure { try await task.value }?.code == .stopping)
                    times.append(TestClock().now - start)
                    #expect(!stage.session.dispatcher.need.isInDemand)
                }
                #expect(times.contains { $0 < .milliseconds(100) })
            }
        }

        @Test(arguments: [
            ("YUYV:256x64@100,flag-every=2", SkipReason.flagged), ("YUYV:256x64@100,short-every=2", .short),
            ("MJPG:256x64@100,cut-every=2", .corrupt),
        ])
        func `bad frames are skipped and counted`(_ pattern: String, _ reason: SkipReason) async throws {
            try await Stage.run(pattern) { stage in
                var skipped = 0
                for _ in 0..<20 {
                    let still = try await stage.take()
                    #expect(try still.code().number % 2 == 1 || stage.counters.sequenceGaps > 0)
                    skipped += still.record.skipped?[reason] ?? 0
                }
                #expect(skipped > 0)
                let all = stage.counters
                let counted = [SkipReason.flagged: all.flagged, .short: all.short, .corrupt: all.corrupt]
                #expect(counted[reason] ?? 0 > 0)
            }
        }

        @Test func `stop and end fail waiting clients`() async throws {
            try await Stage.run("YUYV:256x64@0.1", endsCleanly: false) { stage in
                let waiting = Task { try await stage.take(deadline: .seconds(60)) }
                #expect(await TestClock().reaches { stage.session.dispatcher.need.isInDemand })
                try await stage.session.stop()
                #expect(await failure { try await waiting.value }?.code == .stopping)
                let second = Task { try await stage.take(deadline: .seconds(60)) }
                #expect(await TestClock().reaches { stage.session.dispatcher.need.isInDemand })
                #expect(await stage.session.end(within: .seconds(10)))
                #expect(await failure { try await second.value }?.code == .stopping)
                await expectProblem(.stopping, within: .seconds(3)) { try await stage.take() }
            }
        }
    }
}
