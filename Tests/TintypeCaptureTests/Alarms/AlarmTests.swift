// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture
@testable import TintypeImaging

extension SessionTests {
    /// Alarms of a pattern whose faults follow a file.
    struct AlarmTests {
        private func run(
            _ pattern: String,
            _ alarms: [CameraAlarm],
            for limit: Duration = .seconds(30),
            warmth: Warmth = .hot,
            _ body: (Stage, FaultFile) async throws -> Void
        ) async throws {
            let faults = FaultFile()
            let limits = Dictionary(uniqueKeysWithValues: alarms.map { ($0, limit) })
            let configuration = SessionConfiguration(warmth: warmth, alarms: limits)
            try await Stage.run("\(pattern),faults=\(faults.path)", configuration: configuration) { stage in
                try await body(stage, faults)
            }
        }

        /// For example `+black` and `-black` for its start and its end.
        private func alarms(_ stage: Stage) -> [String] {
            stage.told.all.compactMap { event in
                event.alarm.map { "\(event.kind == .alarmBegan ? "+" : "-")\($0.rawValue)" }
            }
        }

        /// Waits for `seconds` of test time.
        private func pass(_ seconds: Int) async { _ = await TestClock().reaches(within: .seconds(seconds)) { false } }

        @Test(arguments: ["YUYV", "MJPG", "BA81"])
        func `an idle camera that is frozen and black for a minute has one alarm and one end each`(_ format: String)
            async throws
        {
            try await run("\(format):320x240@5", [.frozen, .black]) { stage, faults in
                for fault in ["frozen", "dark"] {
                    await pass(20)
                    try faults.set(fault)
                    await pass(60)
                    try faults.heal()
                }
                await pass(20)
                #expect(alarms(stage) == ["+frozen", "-frozen", "+black", "-black"])
                let events = stage.told.all.filter { $0.kind == .alarmBegan }
                #expect(events.allSatisfy { $0.camera == "pattern" && $0.since != nil })
                #expect(stage.renders.all.isEmpty && stage.counters.encoded == 0 && stage.log.openings == 1)
            }
        }

        @Test func `the status has each configured alarm, with its start while it lasts`() async throws {
            try await run("YUYV:320x240@5,dark", [.noPicture, .black]) { stage, _ in
                #expect(stage.session.status.alarms == [AlarmStatus(.noPicture), AlarmStatus(.black)])
                #expect(await TestClock().reaches(within: .seconds(60)) { alarms(stage) == ["+black"] })
                let since = try #require(stage.told.all.first { $0.kind == .alarmBegan }?.since)
                #expect(stage.session.status.alarms == [AlarmStatus(.noPicture), AlarmStatus(.black, since: since)])
                #expect(stage.messages.count(.warning, "has been black for") == 1)
                try await stage.session.stop()
                #expect(alarms(stage) == ["+black", "-black"])
                #expect(stage.session.status.alarms == [AlarmStatus(.noPicture), AlarmStatus(.black)])
                await pass(100)
                #expect(alarms(stage).count == 2, "a stopped camera is not in use")
            }
        }

        @Test func `short losses are no alarm, and a long one is one`() async throws {
            try await run("YUYV:320x240@5", [.noPicture]) { stage, faults in
                await pass(5)
                for _ in 0..<5 {
                    try faults.set("lose-after=0,gone")
                    await pass(1)
                    try faults.heal()
                    await pass(10)
                }
                #expect(stage.counters.interrupted >= 5 && alarms(stage).isEmpty)
                try faults.set("lose-after=0,gone")
                await pass(29)
                #expect(alarms(stage).isEmpty)
                await pass(5)
                #expect(alarms(stage) == ["+noPicture"])
                try faults.heal()
                let both = ["+noPicture", "-noPicture"]
                #expect(await TestClock().reaches(within: .seconds(20)) { alarms(stage) == both })
            }
        }

        @Test func `a driver that hangs is no picture`() async throws {
            try await run("YUYV:320x240@5,hang-after=20,hang=100s", [.noPicture]) { stage, _ in
                await pass(60)
                #expect(alarms(stage) == ["+noPicture"])
                let both = ["+noPicture", "-noPicture"]
                #expect(await TestClock().reaches(within: .seconds(90)) { alarms(stage) == both })
            }
        }

        @Test(arguments: [false, true])
        func `a camera that is stopped or removed has no alarm, though its driver hangs`(_ isRemoved: Bool) async throws
        {
            let configuration = SessionConfiguration(warmth: .hot, alarms: [.noPicture: .seconds(30)])
            let pattern = "YUYV:320x240@5,hang-after=20,hang=100s"
            try await Stage.run(pattern, configuration: configuration, endsCleanly: false) { stage in
                await pass(60)
                #expect(alarms(stage) == ["+noPicture"])
                if isRemoved {
                    #expect(await !stage.session.end(within: .milliseconds(100)))
                    #expect(stage.told.all.last { $0.kind == .cameraState }?.state?.name == .off)
                } else {
                    try? await stage.session.stop()
                }
                #expect(alarms(stage) == ["+noPicture", "-noPicture"])
                await pass(300)
                #expect(alarms(stage).count == 2)
            }
        }

        @Test(arguments: ["YUYV:320x240@5,stall-after=0", "MJPG:320x240@5,cut-every=1"])
        func `a cold camera that gives no whole picture has an alarm until it does`(_ pattern: String) async throws {
            var configuration = SessionConfiguration(warmth: .cold, alarms: [.noPicture: .seconds(30)])
            configuration.firstFrame = .off
            let good = String(pattern.prefix { $0 != "," })
            try await Stage.run(list: [pattern, pattern, pattern, good], configuration: configuration) { stage in
                for _ in 0..<3 {
                    #expect(await failure { try await stage.take(deadline: .seconds(5)) } != nil)
                    #expect(await stage.session.reaches(.off))
                    await pass(40)
                }
                #expect(alarms(stage) == ["+noPicture"] && stage.log.openings == 3)
                _ = try await stage.take()
                let both = ["+noPicture", "-noPicture"]
                #expect(await TestClock().reaches { alarms(stage) == both })
            }
        }

        @Test func `damaged pictures are no picture`() async throws {
            try await run("MJPG:320x240@5", [.noPicture]) { stage, faults in
                await pass(20)
                try faults.set("cut-every=1")
                await pass(60)
                #expect(alarms(stage) == ["+noPicture"])
                try faults.heal()
                await pass(20)
                #expect(alarms(stage) == ["+noPicture", "-noPicture"] && stage.log.openings == 1)
            }
        }

        @Test(arguments: PictureQuirk.allCases)
        func `faults of every picture of a camera are no alarm`(_ quirk: PictureQuirk) async throws {
            let pattern = "MJPG:320x240@5,quirk=\(quirk.rawValue)"
            try await run(pattern, [.noPicture, .frozen, .black, .uniform]) { stage, _ in
                await pass(60)
                #expect(alarms(stage).isEmpty)
            }
        }

        @Test func `the stills of a cold camera are judged, and nothing opens it`() async throws {
            try await run("YUYV:320x240@20", [.black], warmth: .cold) { stage, faults in
                try faults.set("dark")
                for _ in 0..<2 {
                    _ = try await stage.take()
                    await pass(40)
                }
                #expect(alarms(stage) == ["+black"] && stage.log.open == 0 && stage.log.openings == 2)
                try faults.heal()
                _ = try await stage.take()
                #expect(alarms(stage) == ["+black", "-black"] && stage.log.openings == 3)
            }
        }

        @Test func `black frames of a start are not judged, whoever takes them`() async throws {
            try await run("YUYV:320x240@20,black-frames=50", [.black], for: .seconds(1)) { stage, _ in
                for _ in 0..<40 { _ = try await stage.take(.next, settle: .never) }
                #expect(await TestClock().reaches { stage.counters.captured >= 100 })
                #expect(stage.counters.encoded >= 40 && alarms(stage).isEmpty)
            }
        }

        @Test func `pictures behind a privacy shutter are not judged`() async throws {
            try await run("YUYV:320x240@5,shutter,dark", [.black, .uniform, .noPicture]) { stage, _ in
                await pass(60)
                #expect(alarms(stage).isEmpty)
            }
        }

        @Test(
            arguments: [
                (AlarmWatch.interval, false, 9...11), (AlarmWatch.idleInterval, false, 1...2),
                (AlarmWatch.idleInterval, true, 9...11),
            ]
        )
        func `judges one frame a second of those that clients take, or after a damaged one, else one in ten seconds`(
            _ interval: Duration,
            _ isDamaged: Bool,
            _ expected: ClosedRange<Int>
        ) async throws {
            let watch = AlarmWatch([.black: .seconds(30)], camera: "a", clock: TestClock(), logger: .quiet) { _ in }
            let picture = Frame([0], .grey(FrameSize(width: 1, height: 1)))
            var judged = 0
            for ordinal in UInt64(1)...100 {
                try await TestClock().sleep(for: .milliseconds(100))
                let key = FrameKey(stream: 1, ordinal: ordinal)
                guard watch.isDue(key, after: interval) else { continue }
                #expect(watch.begin(key) && !watch.begin(key), "one at a time")
                let look = AlarmSample(digest: ordinal, emptiness: BlankCheck(isBlack: false, isUniform: false))
                watch.finish(isDamaged ? nil : look, of: picture)
                #expect(!watch.isDue(key, after: .zero) && !watch.begin(key), "each frame once")
                judged += 1
            }
            #expect(expected.contains(judged), "\(judged)")
        }
    }
}
