// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypeSpool

@testable import tintyped

/// Schedules of the test pattern, from the daemon's cameras to a spool, on ``TestClock``.
@Suite(.serialized)
struct PublishedFrameTests {
    /// Runs the publishing of a daemon with this pattern during `body`.
    private func run(
        _ spec: String,
        warmth: Warmth = .linger(.seconds(10)),
        firstFrame: SilenceLimit = .auto,
        _ publish: [PublishSchedule] = [],
        latest: LatestSettings? = nil,
        _ body: @escaping @Sendable (PublishingSite) async throws -> Void
    ) async throws {
        var session = SessionConfiguration(warmth: warmth)
        session.firstFrame = firstFrame
        let pattern = CameraConfiguration(
            name: "pattern",
            source: .pattern(try PatternSpec(spec)),
            session: session,
            publish: publish,
            latest: latest
        )
        try await PublishingSite.run(pattern, in: TemporaryFolder(), body)
    }

    private func every(_ milliseconds: Int, _ alignment: SlotTimes.Alignment = .start) -> PublishSchedule {
        PublishSchedule(rate: .every(.milliseconds(milliseconds), alignment))
    }

    @Test func `opens a cold camera for each slot and stores the picture`() async throws {
        var schedule = every(500)
        (schedule.width, schedule.tags) = (128, ["lapse"])
        try await run("YUYV:256x64@50", warmth: .cold, [schedule]) { site in
            try await site.eventually("three are published") { try await site.publishing().published >= 3 }
            let status = try await site.status()
            #expect(status.counters.opened >= 3)
            #expect(status.holds.isEmpty)
            try await site.eventually("the camera's counter says the same") {
                let status = try await site.status()
                return status.counters.published == status.publishing?.first?.published
            }
            try await site.eventually("it is closed") { try await site.status().state == .off }
            let line = try #require(site.lines.lines.first { $0.contains(">published ") })
            let id = try #require(line.split(separator: "frame=").last.flatMap { FrameID(String($0.prefix(36))) })
            let frame = try await site.spool.frame(id, until: soon)
            let record = frame.still
            #expect(frame.source == .publish)
            #expect(record.tags == ["lapse"] && record.width == 128 && record.height == 32)
            #expect(record.verdict == .intact && record.stored == .durable && record.sha256 != nil)
            let path = try #require(record.path)
            #expect(FileManager.default.fileExists(atPath: path))
            let latest = try FileManager.default.destinationOfSymbolicLink(atPath: "\(site.folder)/pattern/latest.jpg")
            #expect(site.pictures.contains(latest))
        }
    }

    @Test func `a camera whose first frame may take long misses no slot`() async throws {
        let limit = SilenceLimit.fixed(.seconds(20))
        try await run("YUYV:256x64@50,late=8s", warmth: .cold, firstFrame: limit, [every(20_000)]) { site in
            try await site.eventually("two are published") { try await site.publishing().published >= 2 }
            #expect(try await site.publishing().missed == nil)
        }
    }

    @Test func `aligns slots to the clock`() async throws {
        try await run("YUYV:256x64@50", [every(3_600_000, .clock(minutes: 0))]) { site in
            try await site.eventually("a slot is expected") { try await site.publishing().next != nil }
            let next = try #require(try await site.publishing().next)
            #expect(next.microseconds % 1_800_000_000 == 0)
        }
    }

    @Test func `stores every frame of a stream once`() async throws {
        try await run("YUYV:256x64@20", warmth: .cold, [PublishSchedule(rate: .nth(1))]) { site in
            try await site.eventually("twenty are published") { try await site.publishing().published >= 20 }
            let status = try await site.status()
            #expect(status.holds.map(\.owner) == ["publish"])
            #expect(status.counters.opened == 1)
            #expect(site.sequences.count >= 20 && Set(site.sequences).count == site.sequences.count)
            // No frame arrives any more, and frames in progress are counted once stored.
            _ = try await site.cameras.stop("pattern")
            try await site.eventually("each frame is stored, missed or lost by the driver") {
                let (publishing, sequences) = (try await site.publishing(), site.sequences)
                let lost = (sequences.max() ?? 0) - (sequences.min() ?? 0) + 1 - sequences.count
                let missed = (publishing.missed ?? [:]).values.reduce(0, +)
                let gaps = try await site.status().counters.sequenceGaps
                return sequences.count == publishing.published && lost <= missed + gaps
            }
            let frames = try await site.spool.frames(FrameQuery(), until: soon).frames
            #expect(frames.allSatisfy { $0.source == .publish })
        }
    }

    @Test func `stores each n-th frame alongside another schedule`() async throws {
        var tenth = PublishSchedule(rate: .nth(10))
        (tenth.durability, tenth.width) = (.none, 64)
        try await run("YUYV:256x64@50", [tenth, every(300)]) { site in
            try await site.eventually("both are published") {
                let all = try await site.status().publishing ?? []
                return all.count == 2 && all.allSatisfy { $0.published >= 4 }
            }
            let all = try #require(try await site.status().publishing)
            #expect(all.map(\.schedule) == ["nth 10, width 64", "every 300ms"])
            try await site.eventually("the camera's counter is their sum") {
                let status = try await site.status()
                return status.counters.published == status.publishing?.map(\.published).reduce(0, +)
            }
        }
        try await run("YUYV:256x64@50", [tenth]) { site in
            try await site.eventually("five are published") { try await site.publishing().published >= 5 }
            let sequences = site.sequences
            #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $1 - $0 >= 10 })
        }
    }

    @Test func `a failing latest.jpg does not count as a client's failed still`() async throws {
        try await run("YUYV:256x64@50,busy", latest: LatestSettings(every: .milliseconds(100))) { site in
            try await site.eventually("three slots are missed") {
                try await site.publishing().missed?.values.reduce(0, +) ?? 0 >= 3
            }
            #expect(try await site.status().failing == nil)
        }
    }

    @Test func `replaces latest.jpg at its own rate without a catalog row`() async throws {
        let settings = LatestSettings(every: .milliseconds(100), width: 64, quality: 50)
        try await run("YUYV:256x64@50", [every(200)], latest: settings) { site in
            let path = "\(site.folder)/pattern/latest.jpg"
            try await site.eventually("it is there") { try await site.publishing(1).published > 0 }
            var seen: Set<Data> = []
            try await site.eventually("eight others were there") {
                let bytes = try Data(contentsOf: URL(filePath: path))
                #expect(bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2) == Data([0xFF, 0xD9]))
                seen.insert(bytes)
                return seen.count > 8
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.type] as? FileAttributeType == .typeRegular)
            let status = try await site.status()
            #expect(status.publishing?.map(\.schedule) == ["every 200ms", "latest every 100ms, width 64, quality 50"])
            try await site.eventually("what is shown is not stored") {
                let status = try await site.status()
                return status.counters.published == status.publishing?.first?.published
            }
            try await site.eventually("as many files, and as many rows, as were published") {
                let publishing = try await site.publishing()
                let rows = try await site.spool.statistics(until: soon).total.frames
                return [site.pictures.count, rows].allSatisfy { UInt64($0) == publishing.published }
            }
        }
    }
}

extension PublishingSite {
    /// Publishing status of the schedule at `index`.
    fileprivate func publishing(_ index: Int = 0) async throws -> PublishingStatus {
        try #require(try await status().publishing?[index])
    }

    /// Paths of the stored pictures in capture order.
    fileprivate var pictures: [String] {
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: "\(folder)/pattern")) ?? []
        return all.filter { $0.contains("/") && $0.hasSuffix(".jpg") }.sorted()
    }

    /// Sequence numbers of the stored frames.
    fileprivate var sequences: [Int] {
        pictures.compactMap { path in path.split(separator: "-").last.flatMap { Int($0.prefix { $0 != "." }) } }
    }
}
