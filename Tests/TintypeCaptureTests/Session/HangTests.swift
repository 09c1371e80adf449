// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Each call of the device, made to hang in each phase of a session: everybody is answered within their limit, and
    /// the camera is good again when the call returns.
    @Suite(.timeLimit(.minutes(2)))
    struct HangTests {
        /// What happens to a session, one after the other; `changing` is a control that another program changes.
        private enum Step: String, CaseIterable {
            case opening, streaming, changing, reading, setting, applying, largest, stopping
        }

        private static let usual = FrameSize(width: 256, height: 128)
        private static let other = FrameSize(width: 512, height: 96)

        private static func configuration(_ size: FrameSize) -> SessionConfiguration {
            var configuration = SessionConfiguration(
                warmth: .linger(.seconds(60)),
                controls: ControlSettings(["gain": .integer(32)])
            )
            configuration.format.size = .exactly(size)
            return configuration
        }

        private static func run(_ hang: Hang, _ body: (Stage) async throws -> Void) async throws {
            let pattern = "GREY:256x128@50,also=GREY:512x96@50,also=GREY:640x480@50,foreign-change-after=60"
            try await Stage.run(pattern, configuration: configuration(usual), hang: hang, body)
        }

        private static func take(_ step: Step, _ hang: Hang, on stage: Stage) async throws {
            switch step {
            case .opening, .streaming: _ = try await stage.take(deadline: .seconds(60)).code()
            case .changing:
                let told = Hang.Place(step.rawValue, "events()")
                #expect(await Waiting.eventually { hang.seen.contains(told) })
            case .reading: _ = try await stage.session.controls()
            case .setting: _ = try await stage.session.setControls(ControlSettings(["gain": .integer(9)]))
            case .applying: _ = try await stage.session.apply(configuration(other))
            case .largest:
                _ = try await stage.stills.take(StillRequest(deadline: .seconds(60), isLargest: true))
            case .stopping: try await stage.session.stop()
            }
        }

        /// Everything that can be asked of a session, each with the limit of its answer.
        private static func askAll(_ stage: Stage, _ place: Hang.Place) async {
            let session = stage.session
            // So many clients at once share two processors.
            let spare = Duration.seconds(1)
            await withTaskGroup(of: Void.self) { group in
                func ask(_ what: String, within limit: Duration, _ body: @escaping @Sendable () async throws -> Void) {
                    group.addTask {
                        let began = MonotonicTime.now()
                        do {
                            try await body()
                            Issue.record("\(place): \(what) was answered though the device hangs")
                        } catch {
                            let code = (error as? Problem)?.code
                            #expect(code == .driverStuck || code == .deadlineExceeded, "\(place): \(what): \(error)")
                        }
                        let taken = MonotonicTime.now() - began
                        #expect(taken < (limit + spare) * Waiting.scale, "\(place): \(what): \(taken)")
                    }
                }
                let soon = Duration.milliseconds(300)
                ask("a still", within: soon) { _ = try await stage.take(deadline: soon) }
                ask("the largest still", within: soon) {
                    _ = try await stage.stills.take(StillRequest(deadline: soon, isLargest: true))
                }
                ask("start", within: .seconds(4)) { _ = try await session.start() }
                ask("hold", within: .seconds(4)) {
                    _ = try await session.hold(HoldRequest(owner: "me", duration: .seconds(9)))
                }
                ask("apply", within: .seconds(1)) { _ = try await session.apply(configuration(other)) }
                ask("formats", within: .seconds(1)) { _ = try await session.formats() }
                ask("controls", within: .seconds(1)) { _ = try await session.controls() }
                ask("set controls", within: .seconds(1)) {
                    _ = try await session.setControls(ControlSettings(["gain": .integer(200)]))
                }
                ask("reset controls", within: .seconds(1)) { _ = try await session.resetControls() }
                ask("stop", within: .seconds(1)) { try await session.stop() }
            }
        }

        @Test func `a call that hangs holds nobody up beyond their limit, and the camera is good when it returns`()
            async throws
        {
            // Each mostly waits: as many at once as two processors can carry.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, place) in Self.places.enumerated() {
                    if number >= 6 { try await group.next() }
                    group.addTask { try await Self.expectAnswers(at: place) }
                }
                try await group.waitForAll()
            }
        }

        /// Has the device hang there, asks for everything meanwhile, and takes a still when it has returned.
        private static func expectAnswers(at place: Hang.Place) async throws {
            let hang = Hang(at: place)
            try await run(hang) { stage in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for step in Step.allCases {
                        hang.begin(step.rawValue)
                        guard step.rawValue != place.step else {
                            // It may be refused, too.
                            group.addTask { try? await take(step, hang, on: stage) }
                            break
                        }
                        if step != .changing { try await take(step, hang, on: stage) }
                    }
                    #expect(await Waiting.eventually { hang.isReached }, "\(place)")
                    await askAll(stage, place)
                    // The status is there at any time, and says so.
                    #expect(stage.session.status.state.reason?.code == .driverStuck, "\(place)")
                    hang.gate.open()
                    let calls = stage.session.calls
                    #expect(await Waiting.eventually { calls.stuck(longerThan: .milliseconds(300)) == nil }, "\(place)")
                }
                // Nothing of what was refused takes effect, but for the stop.
                try await stage.session.stop()
                let still = try await stage.take()
                _ = try still.code()
                #expect(stage.log.open == 1 && stage.log.mostOpen == 1, "\(place)")
                #expect(!stage.session.status.isStarted && stage.session.status.holds.isEmpty, "\(place)")
                let gain = try await stage.session.controls().control(named: "gain")?.value
                #expect(gain != .integer(200), "\(place)")
            }
        }

        @Test func `no call that a session makes of its device is left out`() async throws {
            let hang = Hang(at: nil)
            try await Self.run(hang) { stage in
                for step in Step.allCases {
                    hang.begin(step.rawValue)
                    try await Self.take(step, hang, on: stage)
                }
            }
            #expect(Set(hang.seen.map(\.call)) == Set(Self.places.map(\.call)))
            #expect(Set(Self.places).subtracting(hang.seen).isEmpty)
        }

        private static let opening = [
            "open", "formats()", "currentFormat()", "selectInput(_:)", "configure(_:crop:)", "exposureTime()", "list()",
            "describe(_:)", "read(_:)", "write(_:)", "watch(_:)", "start()",
        ]
        private static let places: [Hang.Place] = [
            (Step.opening, opening + ["dequeue()", "reclaim()"]), (.streaming, ["dequeue()", "reclaim()"]),
            (.changing, ["events()"]), (.reading, ["list()", "describe(_:)", "read(_:)"]),
            (.setting, ["list()", "describe(_:)", "read(_:)", "write(_:)"]), (.applying, opening + ["stop()"]),
            (.largest, opening + ["stop()", "dequeue()", "reclaim()"]), (.stopping, ["stop()"]),
        ].flatMap { step, calls in calls.map { Hang.Place(step.rawValue, $0) } }
    }
}
