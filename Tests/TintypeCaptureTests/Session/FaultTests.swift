// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Session behaviour for each fault of the fault matrix, on the test pattern.
    struct FaultTests {
        /// A failing call during opening and the error code for the waiting client, or nil if its still succeeds.
        struct Refusal: Sendable, CustomTestStringConvertible {
            let failure: String
            let code: ProblemCode?
            var testDescription: String { failure }
        }

        private static let calls = ["open", "QUERYCAP", "ENUM_FMT", "S_FMT", "REQBUFS", "mmap", "QBUF", "STREAMON"]
        static let refusals =
            calls.map { Refusal(failure: "\($0):ENODEV", code: .deviceLost) }
            + calls.map { Refusal(failure: "\($0):EIO", code: nil) }
            + [
                Refusal(failure: "REQBUFS:EINVAL", code: nil), Refusal(failure: "QBUF:EINVAL", code: nil),
                Refusal(failure: "STREAMON:EINVAL", code: nil), Refusal(failure: "STREAMON:EBUSY", code: .cameraBusy),
                Refusal(failure: "REQBUFS:EBUSY", code: .cameraBusy),
                Refusal(failure: "S_FMT:EBUSY", code: .cameraBusy),
                Refusal(failure: "STREAMON:ENOSPC", code: .usbBandwidth),
                Refusal(failure: "STREAMON:ENOLINK", code: .configurationUnsupported),
                Refusal(failure: "open:EACCES", code: .cameraDenied),
                Refusal(failure: "open:EPERM", code: .cameraRestricted),
                Refusal(failure: "open:ENOENT", code: .deviceLost),
            ]

        @Test(arguments: refusals)
        func `recovers from an error in any call while opening`(_ refusal: Refusal) async throws {
            try await Stage.run("YUYV:256x64@50,fail=\(refusal.failure)", "YUYV:256x64@50") { stage in
                if let code = refusal.code {
                    await expectProblem(code) { try await stage.take() }
                }
                _ = try await stage.take().code()
                #expect(stage.log.openings == 2)
                #expect(stage.messages.loud.map(\.level) == [.warning, .notice])
            }
        }

        @Test(arguments: [
            "fail=DQBUF:ENODEV@5", "fail=DQBUF:EIO@5", "fail=QBUF:EIO@5", "fail=QBUF:ENODEV@5", "poll-error-after=5",
            "lose-after=5", "fail=DQBUF:EINVAL@5",
        ])
        func `a broken stream is reopened without failing clients`(_ fault: String) async throws {
            try await Stage.run("YUYV:256x64@50,\(fault)", "YUYV:256x64@50") { stage in
                for _ in 0..<12 { _ = try await stage.take().code() }
                #expect(stage.counters.opened == 2)
                #expect(stage.counters.interrupted == 1)
                #expect(stage.messages.loud.map(\.level) == [.warning, .notice])
            }
        }

        @Test func `logs a lost camera and its return with the bus`() async throws {
            let faults = FaultFile()
            try await Stage.run("YUYV:256x64@50,faults=\(faults.path)", warmth: .hot) { stage in
                _ = try await stage.take()
                try faults.set("lose-after=0,gone")
                #expect(await TestClock().reaches { stage.log.openings >= 3 })
                await expectProblem(.deviceLost, within: .seconds(3)) { try await stage.take() }
                try faults.heal()
                _ = try await stage.take().code()
                let loud = stage.messages.loud
                #expect(loud.map(\.level) == [.warning, .notice], "\(loud)")
                #expect(loud.allSatisfy { $0.metadata["bus"] == "built-in" }, "\(loud)")
                #expect(loud.last?.text == "the camera is back")
                #expect(loud.last?.metadata["failures"].flatMap { Int("\($0)") } ?? 0 >= 3)
                #expect(loud.last?.metadata["after"].flatMap { HumanDuration.parse("\($0)") } != nil)
            }
        }

        @Test func `repeated silent openings form one outage with growing delays`() async throws {
            let faults = FaultFile()
            try faults.set("stall-after=0")
            try await Stage.run("YUYV:256x64@50,faults=\(faults.path)", warmth: .hot) { stage in
                #expect(await TestClock().reaches(within: .seconds(20)) { stage.counters.interrupted >= 3 })
                #expect(stage.messages.count(.warning, "waiting for the first frame") == 1)
                #expect(stage.messages.count(.debug, "waiting for the first frame") >= 2)
                #expect(stage.messages.count(.notice, "") == 0)
                let state = stage.session.status.state
                #expect(try #require(state.attempt, "\(state)").after >= .milliseconds(800))
                try faults.heal()
                _ = try await stage.take().code()
                #expect(stage.messages.count(.notice, "the camera is back") == 1)
            }
        }

        @Test func `all-buffers-broken-forever: corrupt-only is reported and the camera reopened`() async throws {
            try await Stage.run("YUYV:256x64@50,flag=100", "YUYV:256x64@50") { stage in
                #expect(await failure { try await stage.take(deadline: .milliseconds(500)) }?.code == .corruptOnly)
                let still = try await stage.take()
                #expect(still.record.skipped?[.flagged] ?? 0 > 0)
                #expect(stage.log.openings == 2)
                #expect(stage.messages.count(.warning, "all damaged") == 1)
            }
        }

        @Test func `slow controls cost an undated camera at most one frame`() async throws {
            let slow = OddControls.Reading()
            let pattern = "YUYV:256x64@50,undated,forget-controls"
            try await Stage.run(pattern, warmth: .cold, controls: ["gain": .integer(9)], drivers: [.slowGain(slow)]) {
                stage in
                let still = try await stage.take(settle: .never)
                _ = try still.code()
                #expect(slow.count > 1)
                #expect(still.record.skipped?[.undated] ?? 0 <= 1, "\(still.record.skipped ?? [:])")
            }
        }

        @Test(arguments: ["", ",undated"])
        func `a slow control read is not a stall`(_ fault: String) async throws {
            let slow = OddControls.Reading()
            let drivers = [OddControls.Oddity.slowGain(slow, .seconds(3))]
            try await Stage.run("YUYV:256x64@50\(fault)", drivers: drivers) { stage in
                _ = try await stage.take(.next, settle: .never).code()
                // The driver is asked for the gain in the meantime.
                let still = try await stage.take(.next, settle: .never)
                #expect(slow.count > 0)
                #expect(stage.counters.opened == 1 && stage.counters.interrupted == 0)
                #expect(still.record.skipped?[.undated] == (fault.isEmpty ? nil : 1), "\(still.record.skipped ?? [:])")
            }
        }

        @Test func `all-buffers-broken-forever: one good frame does not hide later damage`() async throws {
            try await Stage.run("YUYV:256x64@50,undated,flag-after=1") { stage in
                await expectProblem(.corruptOnly) { try await stage.take(deadline: .milliseconds(500)) }
                await expectProblem(.corruptOnly) { try await stage.take(deadline: .seconds(15)) }
                #expect(stage.counters.interrupted >= 2)
                #expect(stage.messages.count(.warning, "all damaged") == 1)
                #expect(stage.messages.count(.notice, "") == 0)
            }
        }

        @Test(arguments: ["short-every=2", "flag-every=2", "flag=50"])
        func `short-frame-not-requeued: a driver with two buffers gets every buffer back`(_ fault: String) async throws
        {
            try await Stage.run("YUYV:256x64@200,buffers=2,\(fault)", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.short + stage.counters.flagged >= 30 })
                for _ in 0..<5 { _ = try await stage.take().code() }
                #expect(stage.counters.interrupted == 0)
            }
        }

        @Test func `low-light-slower-than-timeout: an exposure of seconds is not a stall`() async throws {
            try await Stage.run("YUYV:256x64@50,exposure=2500ms", warmth: .hot) { stage in
                _ = try await stage.take().code()
                #expect(stage.counters.interrupted == 0)
                #expect(stage.session.dispatcher.limits.silence == .milliseconds(9500))
            }
        }

        @Test func `low-light-slower-than-timeout: a growing exposure extends the stall limit in time`() async throws {
            let faults = FaultFile()
            try await Stage.run("YUYV:256x64@50,faults=\(faults.path)", warmth: .hot) { stage in
                _ = try await stage.take()
                #expect(stage.session.dispatcher.limits.silence == .seconds(2))
                try faults.set("stall-after=0,exposure=3s")
                #expect(await TestClock().reaches { stage.session.dispatcher.limits.silence == .seconds(11) })
                try faults.heal()
                _ = try await stage.take().code()
                #expect(stage.counters.interrupted == 0)
            }
        }

        @Test(arguments: [10, 50, 90])
        func `frames dropped by the driver are counted without an interruption`(_ percent: Int) async throws {
            try await Stage.run("YUYV:256x64@200,drop=\(percent)") { stage in
                for _ in 0..<5 { _ = try await stage.take().code() }
                #expect(await TestClock().reaches { stage.counters.sequenceGaps >= 5 })
                #expect(stage.counters.interrupted == 0)
            }
        }

        @Test(arguments: ["wrap-sequence", "wrap-timestamp", "wrap-timestamp,end-of-frame"])
        func `wrapping sequence numbers and timestamps do not make frames stale`(_ fault: String) async throws {
            try await Stage.run("YUYV:256x64@100,\(fault)") { stage in
                // The counters wrap at the twentieth frame.
                for _ in 0..<40 {
                    let asked = TestClock().now
                    let still = try await stage.take()
                    #expect(try still.code().microseconds >= UInt64(asked.nanoseconds / 1000))
                    #expect(try #require(still.record.ageMs).duration >= .zero)
                }
                #expect(stage.counters.interrupted == 0)
            }
        }

        @Test func `a driver that overwrites a lent buffer does not corrupt the still`() async throws {
            let gate = Gate()
            try await Stage.run("YUYV:256x64@100,overwrite", rendering: gate.rendering) { stage in
                async let still = stage.take()
                #expect(await TestClock().reaches { stage.session.dispatcher.isEncoding(1) })
                #expect(await stage.captures(10))
                gate.open()
                let taken = try await still
                #expect(try taken.code().number == taken.record.sequence)
            }
        }

        @Test(arguments: ["open", "REQBUFS", "STREAMON", "QBUF", "DQBUF"])
        func `a still with enough time survives a 5 s driver call`(_ call: String) async throws {
            try await Stage.run("YUYV:256x64@50,hang-at=\(call),hang=5s") { stage in
                _ = try await stage.take().code()
                #expect(stage.messages.loud.isEmpty)
            }
        }

        @Test(arguments: ["open", "REQBUFS", "STREAMON", "DQBUF"])
        func `a still fails with driver-stuck at its deadline while a call hangs`(_ call: String) async throws {
            try await Stage.run("YUYV:256x64@50,hang-at=\(call),hang=30s", endsCleanly: false) { stage in
                let asked = TestClock().now
                #expect(await failure { try await stage.take(deadline: .seconds(3)) }?.code == .driverStuck)
                #expect(TestClock().now - asked >= .seconds(3) && TestClock().now - asked < .seconds(4))
                #expect(stage.session.status.stuckCall?.name.contains(call) == true)
            }
        }
    }
}
