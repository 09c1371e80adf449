// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct ControlTests {
        private static let pattern = "GREY:256x128@100"

        /// Mean luma of the lowest eighth, where nothing moves: about 127 at brightness 128.
        private func brightness(of still: Still) throws -> Int {
            var decoder = JPEGDecoder()
            let (size, luma) = try unsafe decoder.decodeLuma(still.picture.span.bytes)
            let rows = luma.suffix(size.width * size.height / 8)
            return rows.reduce(0) { $0 + Int($1) } / rows.count
        }

        private func value(_ name: String, _ stage: Stage) async throws -> ControlValue? {
            try await stage.session.controls.all().control(named: name)?.value
        }

        @Test func `controls of a closed camera are accessed without keeping it open`() async throws {
            try await Stage.run(Self.pattern, warmth: .cold) { stage in
                #expect(try await stage.session.controls.all().count == 12)
                #expect(stage.log.open == 0)
                let outcomes = try await stage.session.controls.set(ControlSettings(["gain": .integer(3)]))
                #expect(outcomes.map(\.result) == [.applied])
                #expect(stage.log.open == 0 && stage.session.status.state == .off)
            }
        }

        @Test func `a closed camera lists the requested control values`() async throws {
            let wishes: [String: ControlValue] = ["gain": .integer(5)]
            try await Stage.run(Self.pattern, warmth: .cold, controls: wishes) { stage in
                #expect(try await value("gain", stage) == .integer(5))
                // The pattern forgets all values when it closes.
                _ = try await stage.session.controls.set(ControlSettings(["brightness": .integer(208)]))
                #expect(try await value("brightness", stage) == .integer(208))
                #expect(stage.log.open == 0)
            }
        }

        @Test func `a menu value is reported with its name`() async throws {
            try await Stage.run(Self.pattern, warmth: .cold) { stage in
                let wishes = ControlSettings(["auto_exposure": .text("manual"), "gain": .integer(3)])
                let outcomes = try await stage.session.controls.set(wishes)
                #expect(outcomes.map(\.value) == [.integer(1), .integer(3)])
                #expect(outcomes.map(\.valueName) == ["Manual Mode", nil])
            }
        }

        @Test(arguments: [(Warmth.cold, Logger.Level.debug), (.linger(.seconds(30)), .info)])
        func `only a camera that stays open logs each opening at info`(_ warmth: Warmth, _ level: Logger.Level)
            async throws
        {
            try await Stage.run(Self.pattern, warmth: warmth) { stage in
                _ = try await stage.take()
                for other in [Logger.Level.debug, .info] {
                    #expect(stage.messages.count(other, "the camera is streaming") == (other == level ? 1 : 0))
                }
            }
        }

        @Test func `control values survive closing the camera`() async throws {
            try await Stage.run(Self.pattern, warmth: .cold) { stage in
                let before = try brightness(of: try await stage.take())
                #expect(abs(before - 127) < 12)
                // The pattern forgets all values when it closes: later values come from the session.
                _ = try await stage.session.controls.set(ControlSettings(["brightness": .integer(208)]))
                #expect(try brightness(of: try await stage.take()) > before + 40)
                _ = try await stage.session.controls.reset()
                let after = try brightness(of: try await stage.take())
                #expect(abs(after - before) < 12)
            }
        }

        @Test(arguments: ["", ",forget-controls"])
        func `configured controls apply to the first picture`(_ fault: String) async throws {
            try await Stage.run(Self.pattern + fault, controls: ["brightness": .integer(248)]) { stage in
                let still = try await stage.take()
                #expect(try brightness(of: still) > 190)
                // The stream starts with the value; it is set again if the start resets the device.
                #expect(stage.log.brightnessAtStart == [.integer(248)])
                #expect(try await value("brightness", stage) == .integer(248))
                #expect(stage.session.status.controls?.unfulfilled.isEmpty == true)
            }
        }

        @Test func `control values survive losing the device`() async throws {
            try await Stage.run(Self.pattern + ",lose-after=40", Self.pattern, warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.opened >= 1 })
                let settings = ControlSettings([
                    "exposure_time_absolute": .text("20ms"), "auto_exposure": .text("manual"),
                ])
                let outcomes = try await stage.session.controls.set(settings)
                #expect(outcomes.allSatisfy { $0.isFulfilled })
                #expect(await TestClock().reaches { stage.counters.opened == 2 })
                #expect(try await value("exposure_time_absolute", stage) == .integer(200))
                #expect(try await value("auto_exposure", stage) == .integer(1))
            }
        }

        @Test func `commands override profiles, which override the configuration`() async throws {
            let configured: [String: ControlValue] = ["brightness": .integer(100), "gain": .integer(10)]
            try await Stage.run(Self.pattern, controls: configured) { stage in
                _ = try await stage.session.start()
                #expect(try await value("gain", stage) == .integer(10))
                let night = ControlSettings(["gain": .integer(20), "contrast": .integer(8)])
                _ = try await stage.session.controls.use(night, named: "night")
                #expect(stage.session.status.controls?.profile == "night")
                _ = try await stage.session.controls.set(ControlSettings(["gain": .integer(30)]))
                // The restarted pattern has forgotten all values.
                try await stage.session.stop()
                _ = try await stage.session.start()
                #expect(try await value("gain", stage) == .integer(30))
                #expect(try await value("contrast", stage) == .integer(8))
                #expect(try await value("brightness", stage) == .integer(128))
                let outcomes = try await stage.session.controls.reset()
                #expect(outcomes.map(\.name) == ["brightness", "contrast", "gain"])
                #expect(stage.session.status.controls?.profile == nil)
                #expect(try await value("gain", stage) == .integer(10))
                #expect(try await value("contrast", stage) == .integer(32))
                #expect(try await value("brightness", stage) == .integer(100))
            }
        }

        @Test func `buttons and refused controls are not repeated`() async throws {
            try await Stage.run(Self.pattern + ",control-busy=contrast") { stage in
                let settings = ControlSettings(["pan_reset": .boolean(true), "contrast": .integer(4)])
                let outcomes = try await stage.session.controls.set(settings)
                #expect(outcomes.map(\.result) == [.refused, .applied])
                _ = try await stage.take()
                #expect(stage.session.status.controls?.unfulfilled.isEmpty == true)
            }
        }

        @Test func `reports controls that cannot be set as configured`() async throws {
            let configured: [String: ControlValue] = [
                "contrast": .integer(4), "no_such_thing": .integer(1), "gain": .integer(7),
            ]
            try await Stage.run(Self.pattern + ",control-busy=contrast", controls: configured) { stage in
                _ = try await stage.take()
                let unfulfilled = stage.session.status.controls?.unfulfilled ?? []
                #expect(unfulfilled.map(\.name) == ["contrast", "no_such_thing"])
                #expect(unfulfilled.map(\.result) == [.refused, .unknown])
                #expect(try await value("gain", stage) == .integer(7))
            }
        }

        @Test func `a new configuration sets its controls at once`() async throws {
            try await Stage.run(Self.pattern) { stage in
                _ = try await stage.session.start()
                var configuration = SessionConfiguration(warmth: .linger(.seconds(30)))
                configuration.controls = ControlSettings(["gain": .integer(9)])
                _ = try await stage.session.apply(configuration)
                #expect(try await value("gain", stage) == .integer(9))
                #expect(stage.log.openings == 1)
            }
        }

        @Test func `a device lost while setting a control is reopened`() async throws {
            try await Stage.run(Self.pattern + ",control-gone=gain", Self.pattern, warmth: .hot) { stage in
                #expect(await stage.session.reaches(.running))
                let settings = ControlSettings(["gain": .integer(9)])
                await expectProblem(.deviceLost) { try await stage.session.controls.set(settings) }
                #expect(await TestClock().reaches { stage.counters.opened == 2 })
                _ = try await stage.take()
            }
        }

        @Test func `controls of a denied camera fail with camera-denied`() async throws {
            try await Stage.run("GREY,deny") { stage in
                #expect(await failure { try await stage.session.controls.all() }?.code == .cameraDenied)
            }
        }
    }
}
