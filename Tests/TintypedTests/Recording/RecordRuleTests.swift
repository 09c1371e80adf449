// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypeSpool

@testable import tintyped

/// Clips of the key `record` and of triggers, from the daemon's cameras to a spool, on ``TestClock``.
@Suite(.serialized)
struct RecordRuleTests {
    private func run(
        _ rules: [PublishSchedule],
        _ body: @escaping @Sendable (PublishingSite) async throws -> Void
    ) async throws {
        try await PublishingSite.watching(rules, ring: RingConfiguration(seconds: 10, quality: 90), body)
    }

    private func rule(_ rate: PublishSchedule.Rate, _ length: Duration, isOfMotion: Bool = false) -> PublishSchedule {
        var rule = PublishSchedule(rate: rate)
        (rule.length, rule.when, rule.before) = (length, isOfMotion ? .motion : .always, .seconds(1))
        return rule
    }

    @Test(arguments: [3, 60])
    func `a clip of a motion ends with it or at its limit`(limit: Int) async throws {
        try await run([rule(.nth(1), .seconds(limit), isOfMotion: true)]) { site in
            #expect(try await site.clips().isEmpty)
            let began = site.cameras.clock.now
            func move(_ end: String) throws {
                let text = "\(began.nanoseconds)\n\(end)"
                try text.write(toFile: "\(site.folder)/moves", atomically: true, encoding: .utf8)
            }
            try move("")
            try await site.eventually("it is recorded") { try await !site.clips().isEmpty }
            let id = try #require(try await site.clips().first?.id)
            if limit == 60 {
                try await TestClock().sleep(for: .seconds(5))
                #expect(site.cameras.recordings.isActive(id))
                try move("\(site.cameras.clock.now.nanoseconds)\n")
            }
            try await site.eventually("it ends") { site.cameras.recordings.isEmpty }
            #expect(site.cameras.clock.now - began < .seconds(12))
            let status = try #require(try await site.status().publishing?.first)
            #expect(status.schedule.hasPrefix("record all, when motion") && status.published == 1)
            try await TestClock().sleep(for: .seconds(5))
            #expect(try await site.clips().count == 1)
        }
    }

    @Test func `a clip is recorded at each slot, and one that fails is missed`() async throws {
        try await run([rule(.every(.seconds(20), .start), .seconds(2))]) { site in
            try await site.eventually("two are recorded") { try await site.clips().count == 2 }
            await site.spool.close(until: soon)
            try await site.eventually("one is missed") {
                try await site.status().publishing?.first?.missed?.isEmpty == false
            }
        }
    }

    @Test func `a trigger with a clip records its time`() async throws {
        try await run([]) { site in
            var request = TriggerRequest()
            (request.beforeMs, request.afterMs) = (Milliseconds(.seconds(1)), Milliseconds(.seconds(3)))
            (request.clip, request.tags) = (true, ["door"])
            let report = try await site.cameras.trigger(request, of: "pattern")
            let id = try #require(report.clip)
            #expect(site.cameras.recordings.isActive(id))
            #expect(try await site.clips().map(\.id) == [id])
            try await site.eventually("it ends") { site.cameras.recordings.isEmpty }
            #expect(try await site.frames().count > 60)
        }
    }
}

extension PublishingSite {
    fileprivate func clips() async throws -> [Job] { try await spool.jobs(until: soon).filter { $0.kind == .clip } }
}
