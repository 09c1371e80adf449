// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct ForeignChangeTests {
        private static let pattern = "GREY:256x128@100"

        @Test func `reports a foreign change with both values`() async throws {
            let before = TestClock().wall
            try await Stage.run(Self.pattern + ",foreign-change-after=20", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.session.status.controls?.foreignChanges == 1 })
                let change = try #require(stage.session.status.controls?.lastForeignChange)
                #expect(change.name == "brightness")
                #expect(change.from == .integer(128))
                #expect(change.to == .integer(PatternSpec.ControlFaults.foreignBrightness))
                #expect((before...TestClock().wall).contains(change.at))
                #expect(stage.told.all.compactMap(\.controls) == [["brightness": change.to]])
            }
        }

        @Test func `own changes are not foreign changes`() async throws {
            let echo = OddControls.Echo()
            try await Stage.run(Self.pattern, warmth: .hot, drivers: [.echoing(echo)]) { stage in
                #expect(await TestClock().reaches { echo.isWatched(ControlNumber.brightness) })
                _ = try await stage.session.controls.set(ControlSettings(["brightness": .integer(9)]))
                #expect(await TestClock().reaches { echo.told == 1 })
                #expect(await stage.captures(21))
                #expect(stage.session.status.controls?.foreignChanges == 0)
            }
        }

        @Test func `gain changes are foreign only while automatic gain is off`() async throws {
            let gain = AutomaticGain()
            try await Stage.run(Self.pattern, warmth: .hot, drivers: [.automaticGain(gain)]) { stage in
                func flags() async throws -> [ControlFlag]? {
                    try await stage.session.controls.all().first { $0.id == ControlNumber.gain }?.flags
                }
                func changes(_ count: UInt64) async -> Bool {
                    await TestClock().reaches { stage.session.status.controls?.foreignChanges == count }
                }
                func hears(_ change: () -> Void) async {
                    let told = gain.echo.told
                    change()
                    #expect(await TestClock().reaches { gain.echo.told > told })
                }
                #expect(await TestClock().reaches { gain.echo.isWatched(ControlNumber.gain) })
                await hears { gain.switchAutomatic(to: false) }
                await hears { gain.set(44) }
                #expect(await changes(1))
                let change = try #require(stage.session.status.controls?.lastForeignChange)
                #expect(change.name == "gain" && change.from != nil && change.to == .integer(44))
                #expect(try await flags() == [])
                await hears { gain.switchAutomatic(to: true) }
                await hears { gain.set(9) }
                #expect(stage.session.status.controls?.foreignChanges == 1)
                #expect(try await flags() == [.inactive, .volatile])
                await hears { gain.switchAutomatic(to: false) }
                await hears { gain.set(7) }
                #expect(await changes(2))
                #expect(stage.session.status.controls?.lastForeignChange?.to == .integer(7))
            }
        }

        @Test func `a closed shutter rejects stills at once`() async throws {
            try await Stage.run(Self.pattern + ",shutter") { stage in
                let start = TestClock().now
                let closed = "privacy shutter of the camera pattern is closed"
                for fresh in [Freshness.request, .next, .latest, .maxAge(.seconds(10))] {
                    let problem = await expectProblem(.noSignal, closed) { try await stage.take(fresh) }
                    #expect(problem?.remedy.hasPrefix("Open the shutter") == true)
                }
                #expect(TestClock().now - start < .seconds(10))
                #expect(stage.session.status.controls?.isShutterClosed == true)
                #expect(stage.renders.all.isEmpty)
                #expect(stage.session.status.lastFrameAgeMs == nil)
            }
        }

        @Test func `stills resume when the shutter opens`() async throws {
            try await Stage.run(Self.pattern + ",shutter,shutter-after=30", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.session.status.controls?.isShutterClosed == true })
                #expect(await TestClock().reaches { stage.session.status.controls?.isShutterClosed == false })
                for fresh in [Freshness.latest, .next, .request] {
                    // The code is drawn only while the shutter is open.
                    _ = try await stage.take(fresh).code()
                }
            }
        }

        @Test func `a shutter without events is polled once a second on demand`() async throws {
            let shutter = OddControls.Shutter()
            try await Stage.run(Self.pattern, warmth: .hot, drivers: [.silentShutter(shutter)]) { stage in
                #expect(await TestClock().reaches { stage.session.status.controls?.isShutterClosed == true })
                let (began, looks) = (TestClock().now, shutter.looks)
                for _ in 0..<20 {
                    #expect(await failure { try await stage.take() }?.code == .noSignal)
                }
                let seconds = Int((TestClock().now - began) / .seconds(1))
                // The list of all controls, which is read once, includes the shutter twice.
                #expect(shutter.looks - looks <= seconds + 3)
                #expect(stage.messages.count(.notice, "the privacy shutter is closed") == 1)
                shutter.open()
                var still: Still?
                let end = TestClock().now + .seconds(10)
                while still == nil, TestClock().now < end { still = try? await stage.take() }
                _ = try #require(still).code()
                #expect(stage.session.status.controls?.isShutterClosed == false)
            }
        }

        @Test func `the shutter state is forgotten with the device`() async throws {
            let shutter = OddControls.Shutter()
            let drivers: [OddControls.Oddity] = [.silentShutter(shutter), .noShutter]
            try await Stage.run(Self.pattern, warmth: .cold, drivers: drivers) { stage in
                await #expect(throws: Problem.self) { try await stage.take() }
                #expect(await TestClock().reaches { stage.log.open == 0 })
                _ = try await stage.take().code()
                #expect(stage.session.status.controls?.isShutterClosed == nil)
            }
        }

        @Test func `closing the shutter rejects stills`() async throws {
            try await Stage.run(Self.pattern + ",shutter-after=200", warmth: .hot) { stage in
                _ = try await stage.take().code()
                #expect(stage.session.status.controls?.isShutterClosed == false)
                #expect(await TestClock().reaches { stage.session.status.controls?.isShutterClosed == true })
                #expect(await failure { try await stage.take(.latest) }?.code == .noSignal)
                _ = try await stage.session.controls.set(ControlSettings(["privacy": .boolean(false)]))
                _ = try await stage.take().code()
            }
        }
    }
}
