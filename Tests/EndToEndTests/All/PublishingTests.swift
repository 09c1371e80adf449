// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    @Suite struct PublishingTests {
        private static let absent = "device: /dev/tintype-has-no-such-node"

        @Test func `a schedule without its camera counts missed slots by reason`() async throws {
            try await Site.with { site in
                let file = """
                    cameras:
                      front:
                        \(Self.absent)
                        publish: [{every: 200ms, align: clock}, {nth: 2, tags: [a]}]
                        latest: {every: 1d}

                    """
                let daemon = try await site.startDaemon([], configuration: file)
                try await eventually("three slots are missed") {
                    try await site.client.camera("front").publishing?[0].missed?["device-lost"] ?? 0 >= 3
                }
                let status = try await site.client.camera("front")
                #expect(status.counters.published == 0 && status.counters.missedSlots >= 3)
                let all = try #require(status.publishing)
                #expect(all.map(\.schedule) == ["every 200ms, align clock", "nth 2, tags a", "latest every 1d"])
                // A busy machine may oversleep a slot, which is missed for another reason.
                let run = try #require(all[0].lastMissed?.first { $0.reason == "device-lost" })
                #expect(run.first.microseconds % 200_000 == 0 && run.last.microseconds % 200_000 == 0)
                #expect(run.detail.contains("/dev/tintype-has-no-such-node"))
                // Every slot of the range is counted.
                #expect((run.last.microseconds - run.first.microseconds) / 200_000 + 1 == run.count)
                let next = try #require(all[0].next)
                #expect(next.microseconds % 200_000 == 0 && next > run.last)
                try await eventually("the others have failed as well") {
                    let all = try await site.client.camera("front").publishing ?? []
                    return all.count == 3 && all.allSatisfy { $0.problem?.code == .deviceLost }
                }
                try await eventually("the first is in the log") {
                    daemon.errors.contains("no frame published") && daemon.errors.contains("slot=\(run.first)")
                }
            }
        }

        @Test(arguments: [("AAA-5:30", 30), ("AAA+3:30", 30), ("AAA0", 0)])
        func `aligns slots to the daemon's time zone`(_ zone: String, _ minute: Int) async throws {
            try await Site.with { site in
                let file = "cameras: {front: {\(Self.absent), publish: {every: 1h, align: clock}}}\n"
                _ = try await site.startDaemon([], configuration: file, environment: ["TZ": zone])
                let next: Timestamp = try await eventually("the next slot is known") {
                    try await site.client.camera("front").publishing?[0].next
                }
                #expect(next.utc.minute == minute && next.utc.second == 0 && next.utc.microsecond == 0)
                #expect(next > .now() && next.microseconds - Timestamp.now().microseconds <= 3_600_000_000)
            }
        }

        @Test(.requiresDevice) func `publishes frames of a device on schedule`() async throws {
            let device = try #require(Machine.device)
            try await Site.with { site in
                let file = "cameras: {front: {device: \(device), publish: {every: 500ms}}}\n"
                _ = try await site.startDaemon([], configuration: file)
                try await eventually("three frames are published") {
                    try await site.client.camera("front").counters.published >= 3
                }
                #expect(try site.pictures.count { $0.hasPrefix("front/") && $0 != "front/latest.jpg" } >= 3)
            }
        }
    }
}
