// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture
@testable import TintypeStills

extension SessionTests {
    struct CalibrationOutputTests {
        private func calibrate(
            _ stage: Stage,
            _ desk: FlashDesk,
            deadline: Duration = .seconds(120)
        ) async throws(Problem) -> Calibration {
            try await CalibrationOutput(session: stage.session).measure(CalibrationRequest(deadline: deadline), desk)
        }

        /// The code of the problem that a calibration ends with; nil if it has a result.
        private func failure(
            _ stage: Stage,
            _ desk: FlashDesk,
            deadline: Duration = .seconds(120)
        ) async -> ProblemCode? {
            do throws(Problem) {
                _ = try await calibrate(stage, desk, deadline: deadline)
                return nil
            } catch {
                return error.code
            }
        }

        /// A camera whose true timing is known.
        struct Camera: CustomTestStringConvertible, Sendable {
            let testDescription: String
            /// In milliseconds.
            let lead: Int64
            let exposure: Int64
            let readout: Int64

            init(_ pattern: String, lead: Int64, exposure: Int64, readout: Int64) {
                testDescription = "\(pattern),lead=\(lead)ms,exposure=\(exposure)ms,readout=\(readout)ms"
                (self.lead, self.exposure, self.readout) = (lead, exposure, readout)
            }
        }

        @Test(arguments: [
            Camera("YUYV:64x48@30,arrival-stamps", lead: 60, exposure: 20, readout: 15),
            Camera("MJPG:64x48@30,arrival-stamps,noise=6", lead: 48, exposure: 33, readout: 30),
            Camera("GREY:64x48@30,end-of-frame", lead: 40, exposure: 5, readout: 0),
            Camera("YUYV:64x48@30,arrival-stamps", lead: 80, exposure: 1, readout: 25),
            Camera("YUYV:64x48@30,arrival-stamps,drop=10", lead: 250, exposure: 10, readout: 5),
            Camera("YUYV:64x48@30", lead: 35, exposure: 0, readout: 0),
        ])
        func `forty flashes show the lead of a camera within three milliseconds`(_ camera: Camera) async throws {
            let light = LightFile()
            try await Stage.run("\(camera.testDescription),light=\(light.path)") { stage in
                let desk = FlashDesk()
                async let measured = calibrate(stage, desk)
                #expect(await TestClock().reaches { stage.counters.captured > 0 })
                try await light.flash(40, seed: 7)
                try desk.tell(light.moments, upTo: TestClock().now, to: "pattern")
                let calibration = try await measured
                let truth = camera.testDescription.contains("end-of-frame") ? 33.3 : Double(camera.lead)
                let details: Comment = "\(calibration)"
                #expect(abs(calibration.leadMs.duration.millisecondCount - truth) <= 3, details)
                #expect(calibration.spreadMs.duration.millisecondCount <= 3, details)
                #expect(abs(calibration.exposureMs.duration.millisecondCount - Double(camera.exposure)) <= 5, details)
                #expect(abs(calibration.readoutMs.duration.millisecondCount - Double(camera.readout)) <= 5, details)
                #expect(calibration.seen >= 36 && calibration.flashes == 40, details)
            }
        }

        @Test func `a camera that does not see the light says so`() async throws {
            let light = LightFile()
            try await Stage.run("YUYV:64x48@30,noise=6") { stage in
                let desk = FlashDesk()
                async let problem = failure(stage, desk)
                #expect(await TestClock().reaches { stage.counters.captured > 0 })
                try await light.flash(20, seed: 3)
                try desk.tell(light.moments, upTo: TestClock().now, to: "pattern")
                #expect(await problem == .flashNotSeen)
            }
        }

        @Test func `a calibration ends at its deadline, and then knows nothing of flashes any more`() async throws {
            try await Stage.run("YUYV:64x48@30", warmth: .cold) { stage in
                let desk = FlashDesk()
                #expect(await failure(stage, desk, deadline: .seconds(2)) == .deadlineExceeded)
                #expect(throws: Problem.self) { try desk.tell([TestClock().now], upTo: TestClock().now, to: "pattern") }
                #expect(await TestClock().reaches { stage.log.open == 0 })
            }
        }

        @Test func `moments at which the camera was not watched are refused, and the calibration ends at its deadline`()
            async throws
        {
            try await Stage.run("YUYV:64x48@30") { stage in
                let desk = FlashDesk()
                async let problem = failure(stage, desk, deadline: .seconds(3))
                #expect(await TestClock().reaches { stage.counters.captured > 0 })
                let now = TestClock().now
                for moments in [[now + .seconds(1)], [now - .seconds(86_400)], [now, now + .seconds(86_400)]] {
                    let refusal = #expect(throws: Problem.self) { try desk.tell(moments, upTo: now, to: "pattern") }
                    #expect(refusal?.code == .invalidRequest && refusal?.field == "flashes")
                }
                #expect(await problem == .deadlineExceeded)
            }
        }

        @Test func `a second calibration of a camera is refused, and the first goes on`() async throws {
            try await Stage.run("YUYV:64x48@30") { stage in
                let desk = FlashDesk()
                async let first = failure(stage, desk, deadline: .seconds(2))
                #expect(await TestClock().reaches { stage.counters.captured > 0 })
                #expect(await failure(stage, desk) == .tooManyRequests)
                #expect(await first == .deadlineExceeded)
            }
        }
    }
}
