// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct NegotiationTests {
        private static func configuration(
            size: String? = nil,
            rate: String? = nil,
            input: InputWish = InputWish(),
            warmth: Warmth = .linger(.seconds(30))
        ) -> SessionConfiguration {
            let format = FormatWish(size: size.flatMap { SizeWish($0) }, rate: rate.flatMap { RateWish($0) })
            return SessionConfiguration(format: format, input: input, warmth: warmth)
        }

        @Test func `S_FMT answer ignored: a still has the granted format`() async throws {
            try await Stage.run("YUYV:640x480@50,grants=GREY:256x64@100") { stage in
                let still = try await stage.take()
                _ = try still.code()
                #expect(FrameSize(width: still.record.width, height: still.record.height).description == "256x64")
                let status = stage.session.status
                #expect(status.asked?.description == "YUYV:640x480@50")
                #expect(status.format?.description == "GREY:256x64@100")
                #expect(status.unmet == nil)
            }
        }

        @Test func `uses the granted format and reports the difference`() async throws {
            try await Stage.run("YUYV:640x480@50,grants=GREY:256x64@100") { stage in
                let report = try await stage.session.apply(Self.configuration(size: "640x480", rate: "at least 200"))
                #expect(report.granted?.description == "GREY:256x64@100")
                #expect(
                    report.unmet == [
                        "the size: 640x480 was asked for, and 256x64 granted",
                        "the rate: at least 200 was asked for, and 100 granted",
                    ]
                )
                _ = try await stage.take().code()
                #expect(stage.session.status.unmet == report.unmet)
            }
        }

        @Test func `an exact wish that is not granted fails at every opening`() async throws {
            let pattern = "YUYV:640x480@50,grants=GREY:256x64@100"
            try await Stage.run(pattern, configuration: Self.configuration(size: "exactly 640x480")) { stage in
                let unmet = "exactly 640x480 was asked for, and 256x64 granted"
                for _ in 0..<2 { await expectProblem(.configurationUnsupported, unmet) { try await stage.take() } }
                #expect(stage.log.open == 0)
                let rate = Self.configuration(rate: "exactly 50")
                let refused = await failure { try await stage.session.apply(rate) }
                #expect(refused?.detail.contains("exactly 50 was asked for, and 100 granted") == true)
                #expect(stage.session.report.revision == 1)
            }
        }

        @Test func `reopen-uses-old-size: a reconnect negotiates the format again`() async throws {
            try await Stage.run("YUYV:640x480@100,lose-after=4", "MJPG:256x64@50", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.opened == 2 })
                let still = try await stage.take()
                _ = try still.code()
                #expect(FrameSize(width: still.record.width, height: still.record.height).description == "256x64")
                #expect(stage.session.status.format?.description == "MJPG:256x64@50")
                #expect(stage.session.status.asked?.description == "MJPG:256x64@50")
            }
        }

        @Test func `a returning device without the exact size fails with that reason`() async throws {
            let exactly = Self.configuration(size: "exactly 640x480", warmth: .hot)
            let patterns = ("YUYV:640x480@100,lose-after=4", "YUYV:256x64@100")
            try await Stage.run(patterns.0, patterns.1, configuration: exactly) { stage in
                #expect(await stage.session.reaches { $0.reason?.code == .configurationUnsupported })
                #expect(stage.session.status.state.reason?.detail.contains("exactly 640x480") == true)
            }
        }

        @Test func `a waiting client gets the new size after a source change`() async throws {
            // A request waits for two undated frames; the change comes in between.
            try await Stage.run("YUYV:640x480@5,undated,change-after=1:256x64", warmth: .cold) { stage in
                let still = try await stage.take()
                _ = try still.code()
                #expect(FrameSize(width: still.record.width, height: still.record.height).description == "256x64")
                #expect(stage.counters.opened == 2)
                #expect(stage.counters.interrupted == 0)
            }
        }

        @Test func `no frame of the old size is delivered after a source change`() async throws {
            try await Stage.run("YUYV:640x480@100,change-after=20:256x64", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.opened == 2 })
                // The device of the old size was closed first.
                #expect(stage.log.mostOpen == 1)
                for fresh in [Freshness.latest, .maxAge(.seconds(60)), .next, .request] {
                    let still = try await stage.take(fresh)
                    #expect(FrameSize(width: still.record.width, height: still.record.height).description == "256x64")
                }
                #expect(stage.session.status.format?.description == "YUYV:256x64@100")
            }
        }

        @Test func `a lingering camera follows two source changes in a row`() async throws {
            try await Stage.run(
                "YUYV:256x64@100,change-after=20:320x96",
                "YUYV:320x96@100,change-after=2:256x64",
                "YUYV:256x64@100"
            ) { stage in
                _ = try await stage.take(settle: .never)
                #expect(await stage.runs(afterOpenings: 3))
                #expect(stage.log.mostOpen == 1 && stage.counters.stills == 1)
            }
        }

        @Test(arguments: SignalFault.allCases.filter(\.isOfInput))
        func `a signal lost while streaming fails requests after 2 s`(_ fault: SignalFault) async throws {
            try await Stage.run("YUYV:256x64@2,undated,change-after=1:\(fault.rawValue)", warmth: .hot) { stage in
                let start = TestClock().now
                let problem = await expectProblem(.noSignal) { try await stage.take() }
                #expect(problem?.cause == fault)
                // A display takes a moment to switch modes.
                #expect(TestClock().now - start >= .seconds(2))
                #expect(await stage.session.reaches { $0.reason?.cause == fault })
                #expect(await TestClock().reaches { stage.log.open == 0 })
                await expectProblem(.noSignal, within: .seconds(2)) { try await stage.take() }
            }
        }

        @Test func `a brief signal loss after a source change only delays clients`() async throws {
            try await Stage.run(
                "YUYV:256x64@5,undated,change-after=1:64x48",
                "YUYV:256x64@5,input=HDMI:no-signal",
                "YUYV:256x64@5,input=HDMI:no-lock",
                "NV12:256x64@50"
            ) { stage in
                _ = try await stage.take().code()
                #expect(stage.session.status.format?.pixelFormat == .nv12)
                #expect(stage.log.openings == 4)
            }
        }

        @Test func `a missing signal fails only its own input`() async throws {
            try await Stage.run("YUYV:256x64@50,input=HDMI:no-signal,input=TV") { stage in
                await expectProblem(.noSignal, "HDMI") { try await stage.take() }
                let wish = Self.configuration(input: InputWish(input: .name("tv")))
                #expect(try await stage.session.apply(wish).input == InputStatus(index: 1, name: "TV"))
                _ = try await stage.take().code()
                #expect(stage.session.status.input?.name == "TV")
            }
        }

        @Test func `a closed camera negotiates without streaming`() async throws {
            let pattern = "YUYV:256x64@50,also=GREY:640x480@10"
            try await Stage.run(pattern, warmth: .cold) { stage in
                let report = try await stage.session.apply(Self.configuration(size: "at least 600x400", warmth: .cold))
                #expect(report.granted?.description == "GREY:640x480@10")
                #expect(report.revision == 2)
                #expect(stage.log.open == 0)
                #expect(stage.counters.opened == 0)
                #expect(stage.session.status.state == .off)
                #expect(try await stage.take().record.width == 640)
                let odd = Self.configuration(size: "exactly 9x9")
                await expectProblem(.configurationUnsupported) { try await stage.session.apply(odd) }
                #expect(stage.session.report == report)
            }
        }

        @Test func `rejects a change based on another revision`() async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                let wish = Self.configuration(warmth: .cold)
                await expectProblem(.configurationConflict) { try await stage.session.apply(wish, ifRevision: 2) }
                let report = try await stage.session.apply(wish, ifRevision: 1)
                #expect(report.revision == 2)
                // Applying the same configuration again is not a change.
                #expect(try await stage.session.apply(wish, ifRevision: 2).revision == 2)
                #expect(stage.log.openings == 0)
            }
        }

        @Test func `a rejected reconfiguration keeps the streaming format`() async throws {
            let pattern = "YUYV:256x64@50,also=GREY:640x480@50,crops,input=A,input=B:no-lock"
            try await Stage.run(pattern, warmth: .hot) { stage in
                _ = try await stage.take()
                let report = try await stage.session.apply(Self.configuration(size: "640x480", warmth: .hot))
                #expect(report.granted?.description == "GREY:640x480@50")
                #expect(try await stage.take().record.width == 640)
                #expect(await stage.session.reaches(.running))
                let opened = stage.counters.opened
                // Rejected before the stream is interrupted.
                let odd = Self.configuration(size: "exactly 9x9", warmth: .hot)
                await expectProblem(.configurationUnsupported) { try await stage.session.apply(odd) }
                #expect(stage.session.status.state == .running)
                #expect(stage.counters.opened == opened && stage.counters.interrupted == 0)
                // Rejected by the input after the stream has stopped.
                let dark = Self.configuration(input: InputWish(input: .name("B")), warmth: .hot)
                #expect(await failure { try await stage.session.apply(dark) }?.cause == .noLock)
                #expect(stage.session.report.configuration == report.configuration)
                #expect(stage.session.report.revision == report.revision)
                #expect(try await stage.take().record.width == 640)
            }
        }

        @Test func `delivers and reports the granted crop`() async throws {
            let wish = Self.configuration(input: InputWish(crop: CropRectangle("128x32+0+0")))
            try await Stage.run("GREY:256x64@50,crops") { stage in
                let report = try await stage.session.apply(wish)
                #expect(report.crop == CropRectangle("128x32+0+0"))
                #expect(report.unmet.isEmpty)
                let still = try await stage.take()
                #expect(still.record.width == 128)
                #expect(still.record.height == 32)
                #expect(stage.session.status.crop == report.crop)
                let odd = Self.configuration(input: InputWish(crop: CropRectangle("129x32+0+0")))
                let granted = try await stage.session.apply(odd)
                #expect(granted.unmet == ["the crop: 129x32+0+0 was asked for, and 128x32+0+0 granted"])
            }
        }

        @Test func `rejects a crop on a device without cropping`() async throws {
            let wish = Self.configuration(input: InputWish(crop: CropRectangle("128x32+0+0")))
            try await Stage.run("GREY:256x64@50") { stage in
                await expectProblem(.configurationUnsupported, "128x32+0+0") { try await stage.session.apply(wish) }
            }
        }
    }
}
