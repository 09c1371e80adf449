// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypeSpool
import TintypeSystem

@testable import tintyped

/// Schedules with `when: motion`, from the daemon's cameras to a spool, on ``TestClock``.
@Suite(.serialized)
struct MotionPublishingTests {
    private func run(
        _ publish: [PublishSchedule],
        ring: RingConfiguration? = nil,
        format: String = "MJPG:320x240@20",
        _ body: @escaping @Sendable (PublishingSite) async throws -> Void
    ) async throws {
        try await PublishingSite.watching(publish, format: format, warmth: .cold, ring: ring, body)
    }

    private func schedule(_ rate: PublishSchedule.Rate, before: Duration? = nil) -> PublishSchedule {
        var schedule = PublishSchedule(rate: rate)
        (schedule.when, schedule.before, schedule.durability, schedule.tags) = (.motion, before, .none, ["door"])
        return schedule
    }

    @Test func `stores each frame of a motion and of the ring before it once`() async throws {
        // Frames that arrive after the event of the start were exposed before it.
        let format = "MJPG:320x240@20,arrival-stamps,lead=100ms"
        let ring = RingConfiguration(seconds: 60, quality: 90)
        try await run([schedule(.nth(1), before: .seconds(1))], ring: ring, format: format) { site in
            let before = try await site.status()
            #expect(before.counters.encoded == 0 && before.ring?.encoded == 0, "nothing is encoded while nothing moves")
            #expect(before.motion == MotionStatus(isMoving: false, share: 0))
            #expect(before.holds.map(\.owner) == ["motion"] && before.counters.opened == 1)
            #expect(try await site.frames().isEmpty && site.events(.motionBegan).isEmpty)

            let begin = try site.startMoving()
            try await site.eventually("it is told") { site.events(.motionBegan).count == 1 }
            let began = try #require(try await site.status().motion?.since)
            #expect(began >= site.cameras.clock.wall(at: begin) && site.events(.motionBegan)[0].share ?? 0 >= 1)
            try await site.eventually("frames of it are stored") {
                try await site.status().publishing?.first.map { $0.published > 20 } ?? false
            }
            let end = try site.stopMoving(begin)
            try await site.eventually("its end is told") { site.events(.motionEnded).count == 1 }
            #expect(site.events(.motionEnded)[0].at >= site.cameras.clock.wall(at: end + .seconds(1)))
            let ended = try #require(site.events(.motionEnded).first?.at)
            // The camera is released only after every frame is stored, including those of the ring.
            try await site.eventually("the camera is released") {
                try await site.status().holds.map(\.owner) == ["motion"]
            }
            // No later frame may be stored either.
            let captured = try await site.status().counters.captured
            try await site.eventually("forty more frames have come") {
                try await site.status().counters.captured >= captured + 40
            }

            let frames = try await site.frames()
            #expect(frames.allSatisfy { $0.tags == ["door", "motion"] })
            let sequences = frames.map(\.sequence)
            #expect(Set(sequences).count == sequences.count, "each frame once")
            let first = try #require(frames.first?.capturedAt)
            let last = try #require(frames.last?.capturedAt)
            let counters = try await site.status().counters
            let lead = began.microseconds - first.microseconds
            // Each frame lost by a busy machine delays the first by one interval.
            let lostBefore = counters.sequenceGaps + counters.superseded
            #expect((900_000 - Int64(lostBefore) * 50_000...1_000_100).contains(lead), "a second before: \(lead)")
            #expect(last <= ended && last >= site.cameras.clock.wall(at: end))
            let missed = try await site.status().publishing?[0].missed ?? [:]
            let lost = Int(sequences[sequences.count - 1] - sequences[0]) + 1 - sequences.count
            #expect(lost <= Int(missed.values.reduce(0, +) + lostBefore), "\(lost) are missing")
            #expect(try await site.status().holds.map(\.owner) == ["motion"])
        }
    }

    @Test func `stores frames and slots only during motion without a ring`() async throws {
        try await run([schedule(.nth(2)), schedule(.every(.milliseconds(300), .start))], format: "YUYV:320x240@20") {
            site in
            let before = try await site.status()
            #expect(before.counters.encoded == 0 && before.counters.missedSlots == 0)
            let begin = try site.startMoving()
            try await site.eventually("both are published") {
                try await site.status().publishing?.allSatisfy { $0.published >= 4 } ?? false
            }
            _ = try site.stopMoving(begin)
            try await site.eventually("its end is told") { site.events(.motionEnded).count == 1 }
            try await site.eventually("no slot is to come, and the camera is released") {
                let status = try await site.status()
                return status.publishing?[1].next == nil && status.holds.map(\.owner) == ["motion"]
            }
            let quiet = try await site.status()
            try await site.eventually("forty more frames have come") {
                try await site.status().counters.captured >= quiet.counters.captured + 40
            }
            let frames = try await site.frames()
            let start = site.cameras.clock.wall(at: begin)
            #expect(frames.allSatisfy { $0.capturedAt > start && $0.tags == ["door", "motion"] })
            let status = try await site.status()
            #expect(status.publishing?[1].next == nil)
            #expect(status.counters.encoded == quiet.counters.encoded)
            #expect(status.publishing?[1].missed == quiet.publishing?[1].missed)
        }
    }

    @Test func `tags a still with motion only during motion`() async throws {
        try await run([]) { site in
            func tags() async throws -> [String]? {
                try await site.cameras.still(StillRequest(deadline: .patience, tags: ["mine"]), of: "pattern").record
                    .tags
            }
            #expect(try await tags() == ["mine"])
            let begin = try site.startMoving()
            try await site.eventually("it is told") { site.events(.motionBegan).count == 1 }
            #expect(try await tags() == ["mine", "motion"])
            _ = try site.stopMoving(begin)
            try await site.eventually("its end is told") { site.events(.motionEnded).count == 1 }
            #expect(try await tags() == ["mine"])
        }
    }

    @Test func `stopping the camera ends the motion`() async throws {
        try await run([]) { site in
            _ = try site.startMoving()
            try await site.eventually("it is told") { site.events(.motionBegan).count == 1 }
            try await site.cameras.find("pattern").session.stop()
            #expect(site.events(.motionEnded).count == 1)
            #expect(try await site.status().motion == MotionStatus(isMoving: false, share: 0))
        }
    }
}

/// Pattern camera whose block moves between the times in a file.
extension PublishingSite {
    private var moves: String { "\(folder)/moves" }

    /// Starts moving the block; returns the time.
    fileprivate func startMoving() throws -> MonotonicTime {
        let begin = cameras.clock.now
        try "\(begin.nanoseconds)\n".write(toFile: moves, atomically: true, encoding: .utf8)
        return begin
    }

    /// Stops the block that has moved since `begin`; returns the time.
    fileprivate func stopMoving(_ begin: MonotonicTime) throws -> MonotonicTime {
        let end = cameras.clock.now
        try "\(begin.nanoseconds)\n\(end.nanoseconds)\n".write(toFile: moves, atomically: true, encoding: .utf8)
        return end
    }

    fileprivate func events(_ kind: Event.Kind) -> [Event] { told.all.filter { $0.kind == kind } }
}
