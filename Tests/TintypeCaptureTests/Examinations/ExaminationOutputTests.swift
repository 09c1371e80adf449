// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct ExaminationOutputTests {
        private func examine(
            _ stage: Stage,
            frames: Int = 10,
            deadline: Duration = .seconds(20),
            within limit: Duration = .patience
        ) async -> Examination {
            let began = TestClock().now
            let request = ExaminationRequest(frames: frames, deadline: deadline)
            let examination = await ExaminationOutput(session: stage.session).examine(request)
            #expect(TestClock().now - began < limit)
            return examination
        }

        @Test func `a camera that is stopped in an examination stays closed, and the examination says so`()
            async throws
        {
            try await Stage.run("YUYV:256x64@50", warmth: .cold) { stage in
                async let examining = examine(stage, frames: 10_000)
                #expect(await TestClock().reaches { stage.counters.stills >= 3 })
                try await stage.session.stop()
                let examination = await examining
                #expect(examination.problem?.code == .stopping)
                // A further command: the session has gone through its steps since.
                _ = try await stage.session.release(ReleaseRequest())
                #expect(stage.log.open == 0 && stage.log.openings == 1)
                #expect(stage.session.status.state == .off)
            }
        }

        @Test(arguments: ["YUYV:320x96@30", "MJPG:320x96@30"])
        func `a healthy camera is told by frames, light and change`(pattern: String) async throws {
            try await Stage.run(pattern) { stage in
                let examination = await examine(stage)
                #expect(examination.problem == nil)
                #expect(examination.camera == "pattern")
                let frames = examination.frames
                #expect((frames.captured, frames.flagged, frames.short) == (10, 0, 0))
                let pictures = examination.pictures
                #expect((pictures.examined, pictures.corrupt) == (10, 0))
                #expect((pictures.black, pictures.frozen) == (0, 0))
                // It is open now, and nothing counts of what was before.
                let again = await examine(stage, frames: 3)
                #expect(again.frames.captured < examination.frames.captured + 3)
                #expect(stage.counters.opened == 1)
            }
        }

        @Test(arguments: ["YUYV:320x96@50", "MJPG:320x96@50"], ["dark", "frozen"])
        func `pictures that are dark or do not change are told by what they show`(
            format: String,
            fault: String
        ) async throws {
            try await Stage.run("\(format),\(fault)") { stage in
                let pictures = await examine(stage).pictures
                #expect((pictures.examined, pictures.black) == (10, fault == "dark" ? 10 : 0))
                #expect(pictures.frozen >= 9)
            }
        }

        @Test func `a hundred examinations at one time need no thread each`() async throws {
            try await Stage.run("YUYV:320x96@50") { stage in
                #expect(await examine(stage).problem == nil)
                let before = Threads.count
                await withTaskGroup(of: Examination.self) { group in
                    for _ in 0..<100 { group.addTask { await examine(stage, frames: 20) } }
                    #expect(await TestClock().reaches { stage.counters.stills >= 200 })
                    // Those of the cooperative pool may still be made.
                    #expect(Threads.count < before + 50)
                    for await examination in group { #expect(examination.problem == nil) }
                }
            }
        }

        @Test func `flagged and short frames are counted, and a good one between them is found`() async throws {
            try await Stage.run("YUYV:320x96@50,flag-every=3,short-every=4") { stage in
                let examination = await examine(stage, frames: 24)
                #expect(examination.problem == nil)
                let frames = examination.frames
                // A frame counts when it has come; a still ends with the next good one.
                #expect((frames.captured, frames.flagged, frames.short) == (25, 8, 4))
                #expect(examination.pictures.examined == 13)
            }
        }

        @Test func `a camera with damaged frames only is counted for, not waited for`() async throws {
            try await Stage.run("YUYV:320x96@50,flag-every=1") { stage in
                let examination = await examine(stage, frames: 10, deadline: .seconds(60), within: .seconds(20))
                #expect(examination.problem == nil)
                #expect(examination.frames.flagged >= 10)
                #expect(examination.pictures == PictureTally())
            }
        }

        @Test func `pictures without an end are counted as corrupt`() async throws {
            try await Stage.run("MJPG:320x96@50,cut-every=2") { stage in
                let examination = await examine(stage)
                #expect((examination.pictures.examined, examination.pictures.corrupt) == (6, 5))
            }
        }

        @Test(arguments: [
            ("YUYV:320x96@30,busy", ProblemCode.cameraBusy), ("YUYV:320x96@30,deny", .cameraDenied),
            ("YUYV:320x96@30,no-bandwidth", .usbBandwidth), ("YUYV:320x96@30,gone", .deviceLost),
        ])
        func `what waiting does not mend ends it at once`(pattern: String, code: ProblemCode) async throws {
            try await Stage.run(pattern) { stage in
                let examination = await examine(stage, frames: 1000, deadline: .seconds(60), within: .seconds(20))
                #expect(examination.problem?.code == code)
                #expect(stage.counters.opened == 0)
            }
        }

        @Test func `a camera that goes away and comes back is counted for, until it stays away`() async throws {
            try await Stage.run("YUYV:320x96@50,lose-after=8") { stage in
                let examination = await examine(stage, frames: 20)
                #expect(examination.problem == nil)
                #expect(examination.frames.captured >= 20)
            }
            try await Stage.run("YUYV:320x96@50,lose-after=8", "YUYV:320x96@50,gone") { stage in
                let examination = await examine(stage, frames: 1000, deadline: .seconds(60), within: .seconds(20))
                #expect(examination.problem?.code == .deviceLost)
            }
        }

        @Test(arguments: [(0, "gave no frame"), (4, "gave no further frame")])
        func `silence is told at the deadline`(after count: Int, words: String) async throws {
            try await Stage.run("YUYV:320x96@50,stall-after=\(count)") { stage in
                let start = TestClock().now
                // Before the silence is long enough to open the camera again, on a slow machine too.
                let examination = await examine(stage, frames: 30, deadline: .milliseconds(1500))
                let took = TestClock().now - start
                #expect(examination.problem?.code == .deadlineExceeded)
                #expect(examination.problem?.detail.contains(words) == true, "\(examination)")
                #expect(examination.frames.captured == UInt64(count))
                #expect(took >= .milliseconds(1500) && took < .seconds(6))
            }
        }

        @Test func `a camera that is only slower than the deadline has no problem`() async throws {
            try await Stage.run("YUYV:320x96@2") { stage in
                let examination = await examine(stage, frames: 1000, deadline: .milliseconds(1800))
                #expect(examination.problem == nil)
                #expect(examination.frames.captured > 0 && examination.frames.captured < 1000)
            }
        }

        @Test func `a driver that hangs is told while it hangs`() async throws {
            try await Stage.run("YUYV:320x96@50,hang-after=2,hang=14s", endsCleanly: false) { stage in
                let examination = await examine(stage, frames: 100, deadline: .seconds(60), within: .seconds(14))
                #expect(examination.problem?.code == .driverStuck)
                #expect(examination.problem?.detail.contains("VIDIOC_DQBUF") == true)
            }
        }

        @Test func `a cold camera is opened once for it, and closed after it`() async throws {
            try await Stage.run("YUYV:320x96@50", warmth: .cold) { stage in
                let examination = await examine(stage)
                #expect(examination.pictures.examined == 10)
                #expect(stage.log.openings == 1)
                #expect(await TestClock().reaches { stage.log.open == 0 })
            }
        }

        @Test func `a client that gives it up does not keep the camera open`() async throws {
            try await Stage.run("YUYV:320x96@50", warmth: .cold) { stage in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { _ = await examine(stage, frames: 1000, deadline: .seconds(60)) }
                    #expect(await TestClock().reaches { stage.counters.captured > 2 })
                    group.cancelAll()
                }
                #expect(stage.counters.captured < 1000)
                #expect(await TestClock().reaches { !stage.session.hub.isInDemand })
                #expect(await TestClock().reaches { stage.log.open == 0 })
            }
        }
    }
}
