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

        @Test func `stopping the camera ends an examination`() async throws {
            try await Stage.run("YUYV:256x64@50", warmth: .cold) { stage in
                async let examining = examine(stage, frames: 10_000)
                #expect(await TestClock().reaches { stage.counters.stills >= 3 })
                try await stage.session.stop()
                let examination = await examining
                #expect(examination.problem?.code == .stopping)
                // A further answered command proves that the session has run through its steps.
                _ = try await stage.session.release(ReleaseRequest())
                #expect(stage.log.open == 0 && stage.log.openings == 1)
                #expect(stage.session.status.state == .off)
            }
        }

        @Test(arguments: ["YUYV:320x96@30", "MJPG:320x96@30"])
        func `a healthy camera passes the examination`(pattern: String) async throws {
            try await Stage.run(pattern) { stage in
                let examination = await examine(stage)
                #expect(examination.problem == nil)
                #expect(examination.camera == "pattern")
                let frames = examination.frames
                #expect((frames.captured, frames.flagged, frames.short) == (10, 0, 0))
                let pictures = examination.pictures
                #expect((pictures.examined, pictures.corrupt) == (10, 0))
                #expect((pictures.black, pictures.frozen) == (0, 0))
                // The camera is open now; earlier frames do not count.
                let again = await examine(stage, frames: 3)
                #expect(again.frames.captured < examination.frames.captured + 3)
                #expect(stage.counters.opened == 1)
            }
        }

        @Test(arguments: ["YUYV:320x96@50", "MJPG:320x96@50"], ["dark", "frozen"])
        func `counts black and frozen pictures`(format: String, fault: String) async throws {
            try await Stage.run("\(format),\(fault)") { stage in
                let pictures = await examine(stage).pictures
                #expect((pictures.examined, pictures.black) == (10, fault == "dark" ? 10 : 0))
                #expect(pictures.frozen >= 9)
            }
        }

        @Test func `concurrent examinations do not need a thread each`() async throws {
            try await Stage.run("YUYV:320x96@50") { stage in
                #expect(await examine(stage).problem == nil)
                let before = Threads.count
                await withTaskGroup(of: Examination.self) { group in
                    for _ in 0..<100 { group.addTask { await examine(stage, frames: 20) } }
                    #expect(await TestClock().reaches { stage.counters.stills >= 200 })
                    // Threads of the cooperative pool may still be created.
                    #expect(Threads.count < before + 50)
                    for await examination in group { #expect(examination.problem == nil) }
                }
            }
        }

        @Test func `counts flagged and short frames`() async throws {
            try await Stage.run("YUYV:320x96@50,flag-every=3,short-every=4") { stage in
                let examination = await examine(stage, frames: 24)
                #expect(examination.problem == nil)
                let frames = examination.frames
                // Frames count on arrival; a still ends with the next good frame.
                #expect((frames.captured, frames.flagged, frames.short) == (25, 8, 4))
                #expect(examination.pictures.examined == 13)
            }
        }

        @Test func `damaged frames count towards the requested number`() async throws {
            try await Stage.run("YUYV:320x96@50,flag-every=1") { stage in
                let examination = await examine(stage, frames: 10, deadline: .seconds(60), within: .seconds(20))
                #expect(examination.problem == nil)
                #expect(examination.frames.flagged >= 10)
                #expect(examination.pictures == PictureTally())
            }
        }

        @Test func `counts pictures without an end as corrupt`() async throws {
            try await Stage.run("MJPG:320x96@50,cut-every=2") { stage in
                let examination = await examine(stage)
                #expect((examination.pictures.examined, examination.pictures.corrupt) == (6, 5))
            }
        }

        @Test(arguments: [
            ("YUYV:320x96@30,busy", ProblemCode.cameraBusy), ("YUYV:320x96@30,deny", .cameraDenied),
            ("YUYV:320x96@30,no-bandwidth", .usbBandwidth), ("YUYV:320x96@30,gone", .deviceLost),
        ])
        func `a permanent failure ends the examination at once`(pattern: String, code: ProblemCode) async throws {
            try await Stage.run(pattern) { stage in
                let examination = await examine(stage, frames: 1000, deadline: .seconds(60), within: .seconds(20))
                #expect(examination.problem?.code == code)
                #expect(stage.counters.opened == 0)
            }
        }

        @Test func `an examination continues after a reconnect`() async throws {
            try await Stage.run("YUYV:320x96@50,lose-after=8") { stage in
                let examination = await examine(stage, frames: 20)
                #expect(examination.problem == nil)
                #expect(examination.frames.captured >= 20)
            }
        }

        @Test func `an examination ends if the camera stays away`() async throws {
            try await Stage.run("YUYV:320x96@50,lose-after=8", "YUYV:320x96@50,gone") { stage in
                let examination = await examine(stage, frames: 1000, deadline: .seconds(60), within: .seconds(20))
                #expect(examination.problem?.code == .deviceLost)
            }
        }

        @Test(arguments: [(0, .deadlineExceeded), (4, nil)] as [(Int, ProblemCode?)])
        func `only a stream without any frame is silent before the stall limit`(
            after count: Int,
            code: ProblemCode?
        ) async throws {
            try await Stage.run("YUYV:320x96@50,stall-after=\(count)") { stage in
                let start = TestClock().now
                // Shorter than the stall limit, even on a slow machine.
                let examination = await examine(stage, frames: 30, deadline: .milliseconds(1500))
                let took = TestClock().now - start
                #expect(examination.problem?.code == code, "\(examination)")
                #expect(examination.frames.captured == UInt64(count))
                #expect(took >= .milliseconds(1500) && took < .seconds(6))
            }
        }

        /// A frame each 5 s from a driver that states 50 a second.
        @Test func `a camera slower than its driver states has no problem once its pace is known`() async throws {
            try await Stage.run("YUYV:256x64@50,slow=250", warmth: .hot) { stage in
                #expect(await TestClock().reaches(within: .seconds(300)) { stage.counters.captured >= 10 })
                for _ in 0..<2 {
                    let examination = await examine(stage, frames: 30, deadline: .seconds(4))
                    #expect(examination.problem == nil && examination.frames.captured <= 1)
                }
            }
        }

        @Test func `a slow camera has no problem`() async throws {
            try await Stage.run("YUYV:320x96@2") { stage in
                let examination = await examine(stage, frames: 1000, deadline: .milliseconds(1800))
                #expect(examination.problem == nil)
                #expect(examination.frames.captured > 0 && examination.frames.captured < 1000)
            }
        }

        @Test func `reports a hanging driver call before it returns`() async throws {
            try await Stage.run("YUYV:320x96@50,hang-after=2,hang=14s", endsCleanly: false) { stage in
                let examination = await examine(stage, frames: 100, deadline: .seconds(60), within: .seconds(14))
                #expect(examination.problem?.code == .driverStuck)
                #expect(examination.problem?.detail.contains("VIDIOC_DQBUF") == true)
            }
        }

        @Test func `an examination opens and closes a cold camera once`() async throws {
            try await Stage.run("YUYV:320x96@50", warmth: .cold) { stage in
                let examination = await examine(stage)
                #expect(examination.pictures.examined == 10)
                #expect(stage.log.openings == 1)
                #expect(await TestClock().reaches { stage.log.open == 0 })
            }
        }

        @Test func `a cancelled examination closes the camera`() async throws {
            try await Stage.run("YUYV:320x96@50", warmth: .cold) { stage in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { _ = await examine(stage, frames: 1000, deadline: .seconds(60)) }
                    #expect(await TestClock().reaches { stage.counters.captured > 2 })
                    group.cancelAll()
                }
                #expect(stage.counters.captured < 1000)
                #expect(await TestClock().reaches { !stage.session.dispatcher.need.isInDemand })
                #expect(await TestClock().reaches { stage.log.open == 0 })
            }
        }
    }
}
