// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypeSpool
import TintypeSystem

@testable import tintyped

/// Triggers of the test pattern, from the daemon's cameras to a spool, on ``TestClock``.
@Suite(.serialized)
struct TriggerTests {
    /// Time between two frames.
    private static let interval = Duration.milliseconds(50)

    /// Runs a camera with a ring of ten seconds, after five seconds if it is hot.
    private func run(
        _ format: String = "MJPG:320x240@20",
        warmth: Warmth = .hot,
        hasRing: Bool = true,
        _ body: @escaping @Sendable (PublishingSite) async throws -> Void
    ) async throws {
        let ring = hasRing ? RingConfiguration(seconds: 10, quality: 90) : nil
        let pattern = CameraConfiguration(
            name: "pattern",
            source: .pattern(try PatternSpec(format)),
            session: SessionConfiguration(warmth: warmth, ring: ring)
        )
        try await PublishingSite.run(pattern, in: TemporaryFolder()) { site in
            var site = site
            if warmth == .hot {
                // A trigger reaches back three seconds at most where losses are counted.
                try await site.pass(frames: 40)
                site.lostBefore = try await site.lost()
                try await site.pass(frames: 60)
            }
            try await body(site)
        }
    }

    @Test(arguments: ["MJPG:320x240@20", "YUYV:320x240@20"])
    func `stores the frames before and after a trigger once, and a second one extends it`(format: String) async throws {
        try await run(format) { site in
            #expect(try await site.status().publishing == nil)
            let asked = site.cameras.clock.wall
            let first = try await site.trigger(before: .seconds(2), after: .seconds(3), "door")
            #expect(first.tags == ["door"] && first.nth == 1)
            #expect(first.from.isAbout(asked - .seconds(2)) && first.until - asked >= .milliseconds(2999))
            #expect(try await site.status().holds.map(\.owner) == ["trigger"])
            try await site.pass(frames: 20)
            let second = try await site.trigger(before: .zero, after: .seconds(4), "bell", nth: 7)
            #expect(second.tags == ["door", "bell"] && second.nth == 1 && second.from.isAbout(first.from))
            #expect(second.until - first.until >= .seconds(1))
            let extended = site.cameras.clock.wall
            let frames = try await site.framesOfTrigger()
            try await site.expectAll(of: frames, from: second.from, to: second.until)

            #expect(frames.first?.tags == ["door"] && frames.last?.tags == ["door", "bell"])
            #expect(frames.allSatisfy { $0.tags?.first == "door" && $0.stored == .durable })
            #expect(frames.allSatisfy { $0.capturedAt < extended || $0.tags == ["door", "bell"] })
            let status = try await site.status()
            #expect(status.publishing?.map(\.schedule) == ["trigger"])
            #expect(status.publishing?.map(\.published) == [UInt64(frames.count)])
            #expect(status.counters.published == UInt64(frames.count) && status.counters.opened == 1)
        }
    }

    @Test func `a second trigger may reach further back than the first`() async throws {
        try await run { site in
            let first = try await site.trigger(before: .zero, after: .seconds(3), "door")
            try await site.pass(frames: 10)
            let second = try await site.trigger(before: .seconds(2), after: .seconds(1), "door")
            #expect(first.from - second.from >= .seconds(1) && second.until.isAbout(first.until))
            #expect(second.tags == ["door"])
            try await site.expectAll(of: try await site.framesOfTrigger(), from: second.from, to: first.until)
        }
    }

    @Test func `a trigger reaches back beyond one that has ended`() async throws {
        try await run { site in
            let first = try await site.trigger(before: .zero, after: .seconds(1), "door")
            let count = try await site.framesOfTrigger().count
            let second = try await site.trigger(before: .milliseconds(2500), after: .seconds(1), "bell")
            #expect(first.from - second.from >= .seconds(1) && second.tags == ["bell"])
            let frames = try await site.framesOfTrigger()
            try await site.expectAll(of: frames, from: second.from, to: second.until)
            #expect(frames.filter { $0.tags == ["door"] }.count == count && frames.first?.tags == ["bell"])
        }
    }

    @Test func `the end of a trigger leaves the camera open for the request of the next one`() async throws {
        try await run(warmth: .cold) { site in
            let trigger = try await site.cameras.find("pattern").trigger
            _ = try await site.trigger(before: .zero, after: .seconds(1), "door")
            trigger.announce()
            try await site.eventually("the frames are stored") { trigger.span == nil }
            try await site.pass(frames: 20)
            #expect(try await site.status().holds.map(\.owner) == ["trigger"])
            trigger.withdraw()
            let next = try await site.trigger(before: .milliseconds(500), after: .seconds(1), "bell")
            #expect(next.tags == ["bell"])
            #expect(try await site.framesOfTrigger().count { $0.tags == ["bell"] } >= 25)
            #expect(try await site.status().counters.opened == 1)
        }
    }

    @Test(arguments: [true, false])
    func `a stop or the end of the client during the request leaves nothing`(isStop: Bool) async throws {
        // It settles after one and a half seconds.
        try await run("YUYV:640x360@20,ramp=30", warmth: .cold, hasRing: false) { site in
            let request = Task { try await site.trigger(before: .zero, after: .seconds(60), "door") }
            try await site.eventually("it waits") { try await site.status().counters.captured >= 5 }
            if isStop { _ = try await site.cameras.stop("pattern") } else { request.cancel() }
            let problem = await #expect(throws: Problem.self) { _ = try await request.value }
            #expect(problem?.code == .stopping)
            await TestClock().settle()
            let status = try await site.status()
            #expect(status.state == .off && status.holds.isEmpty && status.publishing == nil)
        }
    }

    @Test func `stores pictures with the usual fault of a camera`() async throws {
        try await run("MJPG:320x240@20,quirk=missingEnd", warmth: .cold, hasRing: false) { site in
            let report = try await site.trigger(before: .zero, after: .seconds(1), "door")
            let frames = try await site.framesOfTrigger()
            try await site.expectAll(of: frames, from: report.from, to: report.until)
            #expect(frames.allSatisfy { $0.verdict == .tolerated })
        }
    }

    @Test func `a trigger soon after another one stores no frame again`() async throws {
        try await run { site in
            let first = try await site.trigger(before: .seconds(1), after: .seconds(1), "door")
            let count = try await site.framesOfTrigger().count
            try await site.pass(frames: 10)
            let second = try await site.trigger(before: .seconds(2), after: .seconds(1), "bell")
            #expect(second.tags == ["bell"])
            let frames = try await site.framesOfTrigger()
            try await site.expectAll(of: frames, from: first.from, to: second.until)
            #expect(frames.prefix(count).allSatisfy { $0.tags == ["door"] })
            #expect(frames.dropFirst(count).allSatisfy { $0.tags == ["bell"] })
        }
    }

    @Test func `stores every nth frame, by default with the whole ring`() async throws {
        try await run { site in
            var request = TriggerRequest()
            (request.nth, request.afterMs) = (5, Milliseconds(.seconds(2)))
            let report = try await site.cameras.trigger(request, of: "pattern")
            #expect(report.nth == 5 && report.tags == ["trigger"])
            let frames = try await site.framesOfTrigger()
            // The ring has about five seconds.
            #expect(frames.count >= 15 && frames[0].capturedAt - report.from <= Self.interval * 5)
            #expect(frames[0].capturedAt < report.until - .seconds(5))
            #expect(Set(frames.map(\.sequence)).count == frames.count)
            #expect(frames.count <= Int(frames[frames.count - 1].sequence - frames[0].sequence) / 5 + 3)
        }
    }

    @Test func `opens a closed camera, and counts the time after from its first picture`() async throws {
        // It settles after one and a half seconds.
        try await run("YUYV:640x360@20,ramp=30", warmth: .cold, hasRing: false) { site in
            let asked = site.cameras.clock.wall
            let report = try await site.trigger(before: .zero, after: .seconds(1), "door")
            #expect(report.from - asked >= .seconds(1) && report.until - report.from >= .milliseconds(999))
            let frames = try await site.framesOfTrigger()
            try await site.expectAll(of: frames, from: report.from, to: report.until)
            #expect(frames.allSatisfy { $0.settled != false })
            try await site.eventually("it is closed") { try await site.status().state == .off }
            #expect(try await site.status().counters.opened == 1)
        }
    }

    @Test func `a time before without a ring, or beyond it, is refused`() async throws {
        for (hasRing, code) in [(false, ProblemCode.configurationUnsupported), (true, .invalidRequest)] {
            try await run(warmth: .cold, hasRing: hasRing) { site in
                let problem = await #expect(throws: Problem.self) {
                    _ = try await site.trigger(before: .milliseconds(10_001), after: .seconds(1), "door")
                }
                var clip = ClipRequest()
                clip.beforeMs = Milliseconds(.milliseconds(10_001))
                let refused = await #expect(throws: Problem.self) {
                    _ = try await site.cameras.record(clip, of: "pattern")
                }
                #expect(refused == problem)
                #expect(problem?.code == code && problem?.field == "beforeMs")
                #expect(problem?.remedy.contains("ring") == true)
                let status = try await site.status()
                #expect(status.counters.opened == 0)
            }
        }
    }

    @Test(arguments: [true, false])
    func `a trigger is added even if its clip cannot be recorded`(isPossible: Bool) async throws {
        try await run { site in
            if !isPossible {
                let path = "\(site.folder)/.incoming"
                try FileManager.default.removeItem(atPath: path)
                try Data().write(to: URL(filePath: path))
            }
            var request = TriggerRequest()
            request.clip = true
            let report = try await site.cameras.trigger(request, of: "pattern")
            #expect((report.clip != nil) == isPossible && (report.clipError == nil) == isPossible)
            #expect(try await site.status().holds.map(\.owner) == ["trigger"])
        }
    }

    @Test func `tags of two triggers are at most sixteen together`() async throws {
        try await run { site in
            var request = TriggerRequest()
            request.tags = (1...16).map { "t\($0)" }
            _ = try await site.cameras.trigger(request, of: "pattern")
            let problem = await #expect(throws: Problem.self) {
                _ = try await site.trigger(before: .zero, after: .seconds(1), "door")
            }
            #expect(problem?.code == .invalidRequest && problem?.field == "tags")
        }
    }

    @Test(arguments: [
        ("YUYV:256x64@20,busy", ProblemCode.cameraBusy), ("MJPG:256x64@20,cut-every=1", .corruptOnly),
        ("YUYV:256x64@0.1,stall-after=0", .deadlineExceeded),
    ])
    func `a camera without a picture is the problem of the trigger, which stores nothing`(
        _ format: String,
        _ code: ProblemCode
    ) async throws {
        try await run(format, warmth: .cold, hasRing: false) { site in
            let problem = await #expect(throws: Problem.self) {
                _ = try await site.trigger(before: .zero, after: .seconds(60), "door")
            }
            #expect(problem?.code == code)
            // Options that a trigger does not have.
            for option in ["deadlineMs", "fresh", "integrity"] { #expect(problem?.remedy.contains(option) == false) }
            #expect(try await site.status().holds.isEmpty)
            try await site.eventually("it is closed") {
                let status = try await site.status()
                return status.holds.isEmpty && !status.state.isStreaming
            }
            #expect(try await site.status().publishing == nil)
            #expect(try await site.frames().isEmpty)
        }
    }

    @Test func `the end of the daemon ends a trigger`() async throws {
        // It returns once all services have ended.
        try await run(warmth: .cold, hasRing: false) { site in
            _ = try await site.trigger(before: .zero, after: .seconds(3600), "door")
            try await site.eventually("frames are stored") { try await site.frames().count >= 5 }
        }
    }
}

extension PublishingSite {
    fileprivate func trigger(
        before: Duration,
        after: Duration,
        _ tag: String,
        nth: Int = 1
    ) async throws -> TriggerReport {
        var request = TriggerRequest()
        (request.beforeMs, request.afterMs) = (Milliseconds(before), Milliseconds(after))
        (request.nth, request.tags) = (nth, [tag])
        return try await cameras.trigger(request, of: "pattern")
    }

    /// Waits for further frames of the camera.
    fileprivate func pass(frames: UInt64) async throws {
        let captured = try await status().counters.captured
        try await eventually("\(frames) frames have come") {
            try await status().counters.captured >= captured + frames
        }
    }

    /// Waits for the end of the trigger, until which every frame is stored; returns the stored frames, oldest first.
    fileprivate func framesOfTrigger() async throws -> [StillRecord] {
        try await eventually("the camera is released") { try await status().holds.isEmpty }
        return try await frames()
    }

    /// Frames that a busy machine has lost.
    fileprivate func lost() async throws -> Int {
        let status = try await status()
        return status.counters.lost(missed: status.publishing?.last?.missed)
    }

    fileprivate func expectAll(of frames: [StillRecord], from start: Timestamp, to end: Timestamp) async throws {
        try frames.expectAll(from: start, to: end, lost: try await lost() - lostBefore)
    }
}

extension Timestamp {
    /// True for the same time, as converted by one clock at different moments.
    fileprivate func isAbout(_ other: Timestamp) -> Bool { (-2...2).contains(microseconds - other.microseconds) }
}
