// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypePattern

@testable import TintypeCapture

@Suite(.timeLimit(.minutes(1)))
struct StateEventsTests {
    private static let gone = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")
    private static let busy = Problem(.cameraBusy, "It is taken.", remedy: "Close the other program.")

    private static func interrupted(_ problem: Problem, _ next: Int64) -> SessionState {
        .interrupted(reason: problem, since: Timestamp(microseconds: 0), nextAttempt: Timestamp(microseconds: next))
    }

    private static func kinds(_ states: [SessionState]) -> [Event.Kind] {
        var events = StateEvents(camera: "yard")
        return states.flatMap { events.events(for: $0) }.map(\.kind)
    }

    @Test func `a camera that is lost and tried in vain is told of once, and once when it is back`() {
        let lost = [Self.interrupted(Self.gone, 1), .opening, Self.interrupted(Self.gone, 2), .opening]
        #expect(
            Self.kinds([.opening, .settling, .running] + lost + [Self.interrupted(Self.gone, 3), .opening, .running])
                == [.cameraState, .cameraState, .cameraState]
                + [.cameraState, .cameraLost, .cameraState, .cameraBack]
        )
    }

    @Test func `another reason is told, but the camera is not lost again`() {
        let states = [Self.interrupted(Self.gone, 1), Self.interrupted(Self.busy, 2), .off, .opening, .settling]
        #expect(
            Self.kinds(states)
                == [.cameraState, .cameraLost, .cameraState, .cameraState, .cameraState, .cameraBack]
        )
    }

    @Test func `a camera that its last client has left is not lost`() {
        #expect(Self.kinds([.opening, .running, .off, .opening, .running]) == Array(repeating: .cameraState, count: 5))
    }

    @Test func `an event says what the camera does and why`() throws {
        var events = StateEvents(camera: "yard")
        let told = events.events(for: Self.interrupted(Self.gone, 1))
        let (state, lost) = (try #require(told.first), try #require(told.last))
        #expect(state.camera == "yard" && state.state?.reason == Self.gone)
        #expect(state.detail == "The camera yard is interrupted. It is gone.")
        #expect(lost.detail == "The camera yard gives no pictures. It is gone.")
    }
}

extension SessionTests {
    /// What a session tells of itself.
    @Suite(.timeLimit(.minutes(1)))
    struct ToldEventTests {
        @Test func `a session tells that its camera is taken, and that it is back`() async throws {
            try await Stage.run("YUYV:256x64@50,busy", "YUYV:256x64@50", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.session.status.state == .running })
                #expect(stage.told.all.map(\.kind).filter { $0 != .cameraState } == [.cameraLost, .cameraBack])
                #expect(stage.told.all.allSatisfy { $0.camera == stage.session.name })
            }
        }

        @Test func `a driver call that hangs is no event until a client meets it`() async throws {
            try await Stage.run("YUYV:256x64@50,hang-after=20,hang=4s", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.session.status.stuckCall != nil })
                try await TestClock().sleep(for: .seconds(2))
                #expect(stage.told.all.map(\.kind) == [.cameraState, .cameraState, .cameraState])
                #expect(stage.messages.loud.filter { $0.text.contains("not returned") }.isEmpty)
            }
        }

        @Test func `a control that another program changes is told`() async throws {
            try await Stage.run("YUYV:256x64@50,foreign-change-after=20", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.session.status.controls?.foreignChanges == 1 })
                let value = ControlValue.integer(PatternSpec.ControlFaults.foreignBrightness)
                #expect(stage.told.all.compactMap(\.controls) == [["brightness": value]])
            }
        }
    }
}
