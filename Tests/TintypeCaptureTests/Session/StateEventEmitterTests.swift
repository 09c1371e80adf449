// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

struct StateEventEmitterTests {
    private static let gone = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")
    private static let busy = Problem(.cameraBusy, "It is taken.", remedy: "Close the other program.")
    private static let stuck = Problem(.driverStuck, "It hangs.", remedy: "Unplug it.")

    private static func interrupted(_ problem: Problem, _ next: Int64) -> SessionState {
        .interrupted(reason: problem, since: Timestamp(microseconds: 0), nextAttempt: Timestamp(microseconds: next))
    }

    private static func told(_ body: (inout StateEventEmitter) -> Void) -> [Event] {
        let told = ToldEvents()
        var states = StateEventEmitter(camera: "yard", tell: told.tell)
        body(&states)
        return told.all
    }

    /// Kinds of the events for these states; a running camera gives a frame.
    private static func kinds(_ states: [SessionState]) -> [Event.Kind] {
        told { told in
            for state in states {
                told.show(state)
                if state == .running { told.frameCame(in: state) }
            }
        }.map(\.kind)
    }

    @Test func `reports an outage and its end once each`() {
        let lost = [Self.interrupted(Self.gone, 1), .opening, Self.interrupted(Self.gone, 2), .opening]
        let states = [.opening, .settling, .running] + lost + [Self.interrupted(Self.gone, 3), .opening, .running]
        let kinds: [Event.Kind] = [.cameraState, .cameraState, .cameraState]
        #expect(Self.kinds(states) == kinds + [.cameraState, .cameraLost, .cameraState, .cameraBack])
    }

    @Test func `a new reason does not report the camera as lost again`() {
        let states = [Self.interrupted(Self.gone, 1), Self.interrupted(Self.busy, 2), .off, .opening, .running]
        let kinds: [Event.Kind] = [.cameraState, .cameraLost, .cameraState, .cameraState, .cameraState, .cameraBack]
        #expect(Self.kinds(states) == kinds)
    }

    @Test func `a stream without a frame does not report the camera as back`() {
        let silent = [Self.interrupted(Self.gone, 1), .opening, .settling]
        let kinds = Self.kinds(silent + silent + silent).filter { $0 != .cameraState }
        #expect(kinds == [.cameraLost])
    }

    @Test func `a frame before the state of its stream reports the camera as back with that state`() {
        let told = Self.told { told in
            told.show(Self.interrupted(Self.gone, 1))
            told.frameCame(in: .opening)
            told.show(.settling)
            told.frameCame(in: .settling)
        }
        #expect(told.map(\.kind) == [.cameraState, .cameraLost, .cameraState, .cameraBack])
        #expect(told.last?.state == .settling)
    }

    @Test func `a frame before a failure like the last one does not report the camera as back`() {
        let told = Self.told { told in
            told.show(Self.interrupted(Self.gone, 1))
            told.show(.opening)
            told.frameCame(in: .opening)
            told.show(Self.interrupted(Self.gone, 2))
            told.show(.settling)
        }
        #expect(told.map(\.kind) == [.cameraState, .cameraLost, .cameraState])
    }

    @Test func `a camera closed without demand is not reported as lost`() {
        let states: [SessionState] = [.opening, .running, .running, .off, .off, .opening, .running]
        #expect(Self.kinds(states) == Array(repeating: .cameraState, count: 5))
    }

    @Test func `a hanging driver call suppresses other events`() {
        let events = Self.told { told in
            told.show(.running)
            told.showStuck(Self.stuck)
            told.showStuck(Self.stuck)
            told.show(.settling)
            told.frameCame(in: .running)
            told.showReturn(to: .running)
        }
        #expect(events.map(\.kind) == [.cameraState, .cameraState, .cameraLost, .cameraState, .cameraBack])
        #expect(events[1].state?.reason?.code == .driverStuck && events[3].state == .running)
    }

    @Test func `after its end a camera is off, though a driver call hangs, and reports nothing more`() {
        let events = Self.told { told in
            told.show(.running)
            told.showStuck(Self.stuck)
            told.end()
            told.showStuck(Self.stuck)
            told.showReturn(to: .running)
            told.frameCame(in: .running)
            told.show(.off)
        }
        #expect(events.map(\.kind) == [.cameraState, .cameraState, .cameraLost, .cameraState])
        #expect(events.last?.state == .off)
    }

    @Test func `an event contains the state and its reason`() throws {
        let told = Self.told { $0.show(Self.interrupted(Self.gone, 1)) }
        let (state, lost) = (try #require(told.first), try #require(told.last))
        #expect(state.camera == "yard" && state.state?.reason == Self.gone)
        #expect(state.detail == "The camera yard is interrupted. It is gone.")
        #expect(lost.detail == "The camera yard gives no pictures. It is gone.")
    }
}

extension SessionTests {
    struct ToldEventTests {
        private static func states(_ stage: Stage) -> [SessionState.Name] {
            stage.told.all.filter { $0.kind == .cameraState }.compactMap { $0.state?.name }
        }

        @Test func `reports each state change once in order`() async throws {
            try await Stage.run("YUYV:256x64@50", endsCleanly: false) { stage in
                _ = try await stage.session.start()
                #expect(await stage.session.reaches(.running))
                try await stage.session.stop()
                // Neither a second stop nor the end changes the state.
                try await stage.session.stop()
                #expect(await stage.session.end(within: .seconds(10)))
                #expect(Self.states(stage) == [.opening, .settling, .running, .off])
            }
        }

        @Test func `reports a failure with its reason and the recovery`() async throws {
            try await Stage.run("YUYV:256x64@50,busy", "YUYV:256x64@50", warmth: .hot) { stage in
                #expect(await stage.session.reaches(.running))
                #expect(Self.states(stage) == [.opening, .interrupted, .settling, .running])
                #expect(stage.told.all.map(\.kind).filter { $0 != .cameraState } == [.cameraLost, .cameraBack])
                #expect(stage.told.all.first { $0.kind == .cameraLost }?.state?.reason?.code == .cameraBusy)
                #expect(stage.told.all.allSatisfy { $0.camera == stage.session.name })
            }
        }

        @Test func `a stream that stays silent is not reported as recovery`() async throws {
            let (stalls, silent) = ("YUYV:256x64@50,stall-after=20", "YUYV:256x64@50,stall-after=0")
            try await Stage.run(stalls, silent, silent, "YUYV:256x64@50", warmth: .hot) { stage in
                // Its status has the failure meanwhile, so that its health does not recover either.
                let isTried = await TestClock().reaches {
                    let status = stage.session.status
                    return status.state == .settling && status.counters.opened == 2 && status.failure != nil
                }
                #expect(isTried)
                #expect(await stage.runs(afterOpenings: 4))
                #expect(stage.session.status.failure == nil)
                #expect(stage.told.all.map(\.kind).filter { $0 != .cameraState } == [.cameraLost, .cameraBack])
            }
        }

        @Test func `reports a hanging driver call once a client is affected`() async throws {
            try await Stage.run("YUYV:256x64@50,hang-after=20,hang=4s", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.session.status.stuckCall != nil })
                // Reading the status does not report the hang.
                #expect(stage.session.status.state.reason?.code == .driverStuck)
                #expect(Self.states(stage) == [.opening, .settling, .running])
                #expect(stage.messages.loud.filter { $0.text.contains("not returned") }.isEmpty)
                #expect(await failure { try await stage.take(deadline: .seconds(1)) }?.code == .driverStuck)
                #expect(await stage.session.reaches(.running))
                #expect(Self.states(stage) == [.opening, .settling, .running, .failed, .running])
                #expect(await TestClock().reaches { stage.told.all.last?.kind == .cameraBack })
                #expect(stage.told.all.map(\.kind).filter { $0 != .cameraState } == [.cameraLost, .cameraBack])
                #expect(stage.messages.loud.count { $0.text.contains("not returned") } == 1)
            }
        }
    }
}
