// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct ExposureTests {
        @Test func `exposure is read only while clients take pictures`() async throws {
            try await Stage.run("YUYV:64x48@50") { stage in
                #expect(stage.session.published.snapshot.reading == nil)
                _ = try await stage.take(.next)
                let first = try #require(stage.session.published.snapshot.reading)
                #expect(first.time == .milliseconds(25) && first.gain == 64 && first.isoSensitivity == nil)
                // A request within a second gets a new reading although it is served from the held frame.
                try await TestClock().sleep(for: .milliseconds(900))
                _ = try await stage.take(.latest, settle: .never)
                let second = try #require(stage.session.published.snapshot.reading)
                #expect(second.readAt > first.readAt)
                try await TestClock().sleep(for: .milliseconds(1500))
                let last = stage.session.published.snapshot.reading
                try await TestClock().sleep(for: .seconds(2))
                #expect(stage.session.published.snapshot.reading == last)
                _ = try await stage.take(.next)
                #expect(try #require(stage.session.published.snapshot.reading).readAt > last?.readAt ?? second.readAt)
            }
        }

        @Test func `a still record contains the focus position`() async throws {
            try await Stage.run("YUYV:64x48@50") { stage in
                _ = try await stage.take(.next)
                #expect(try await stage.take(.next).record.focus == 30)
                _ = try await stage.session.controls.set(ControlSettings(["focus_absolute": .integer(75)]))
                try await TestClock().sleep(for: .seconds(1))
                #expect(try await stage.take(.next).record.focus == 75)
            }
        }

        @Test(arguments: [(-2000, true), (-2001, false), (0, true), (2000, true), (2001, false)])
        func `a reading applies to frames within two seconds`(milliseconds: Int, isNear: Bool) {
            var snapshot = SessionSnapshot()
            let moment = MonotonicTime(nanoseconds: 10_000_000_000)
            #expect(snapshot.facts(at: moment).reading == nil)
            snapshot.reading = CameraReading([:], readAt: moment + .milliseconds(milliseconds))
            #expect((snapshot.facts(at: moment).reading != nil) == isNear)
        }

        @Test func `a closed camera has no exposure reading`() async throws {
            try await Stage.run("YUYV:64x48@50", warmth: .cold) { stage in
                _ = try await stage.take(.next)
                #expect(await stage.session.reaches(.off))
                #expect(stage.log.open == 0)
                #expect(stage.session.published.snapshot.reading == nil)
            }
        }
    }
}
