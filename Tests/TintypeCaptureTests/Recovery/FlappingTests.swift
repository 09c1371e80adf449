// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

struct FlappingTests {
    private let start = MonotonicTime(nanoseconds: 10_000_000_000)

    @Test func `three interruptions within a minute count as flapping for another minute`() throws {
        var flapping = Flapping()
        let news = [0, 3, 6, 9].map { flapping.cameBack("yard", now: start + .seconds($0)) }
        #expect(news.map { $0 != nil } == [false, false, true, false])
        let detail = try #require(news[2]).detail
        #expect(detail.contains("yard breaks off and comes back again and again: 3 times in 6 s"), "\(detail)")
        #expect(flapping.end == start + .seconds(69))
        #expect(!flapping.expire(now: start + .seconds(69) - .nanoseconds(1)) && flapping.reason == news[2])
        #expect(flapping.expire(now: start + .seconds(69)) && flapping.reason == nil && flapping.end == nil)
        #expect(flapping.cameBack("yard", now: start + .seconds(70)) == nil)
    }

    @Test func `interruptions 30 s apart are not flapping`() {
        var flapping = Flapping()
        let news = (0..<10).map { flapping.cameBack("yard", now: start + .seconds(30 * $0)) }
        #expect(news.allSatisfy { $0 == nil })
    }
}

extension SessionTests {
    struct FlappingSessionTests {
        @Test func `a flapping stream is logged once and degraded`() async throws {
            let faults = FaultFile()
            let pattern = "YUYV:256x64@50,faults=\(faults.path)"
            try await Stage.run(pattern, warmth: .hot, endsCleanly: false) { stage in
                _ = try await stage.take()
                try faults.set("stall-after=3")
                #expect(await stage.session.reaches(.degraded))
                let reason = try #require(stage.session.status.state.reason)
                #expect(reason.code == .cameraFault && reason.detail.contains("3 times in"), "\(reason.detail)")
                let told = stage.messages.loud.count
                let events = stage.told.all.count
                let opened = stage.counters.opened
                #expect(await TestClock().reaches(within: .seconds(40)) { stage.counters.opened >= opened + 4 })
                // Two losses with their returns and the flapping itself; nothing more since.
                #expect(told == 7 && stage.messages.loud.count == told, "\(stage.messages.loud)")
                _ = try await stage.take().code()
                try faults.heal()
                #expect(await TestClock().reaches(within: .seconds(80)) { stage.session.status.state == .running })
                #expect(stage.messages.count(.notice, "the stream is stable again") == 1)
                #expect(await stage.session.end(within: .seconds(10)))
                #expect(stage.told.all.dropFirst(events).first?.state?.name == .running)
            }
        }
    }
}
