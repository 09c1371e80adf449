// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Each call of the device, made to hang in each phase of a session: every client is answered within its limit, and
    /// the camera is good again when the call returns.
    struct HangTests {
        /// What happens to a session; `changing` is a control that another program changes.
        private enum Step: String {
            case closedReading, closedListing, closedApplying
            case opening, streaming, changing, reading, setting, applying, largest, stopping
            case losing, retrying
            case sourceChange
        }

        /// What happens to one session, step by step.
        private struct Story {
            let steps: [Step]
            /// What is the matter with the device that is opened first.
            var fault = ""
        }

        private static let stories = [
            Story(steps: [
                .closedReading, .closedListing, .closedApplying, .opening, .streaming, .changing,
                .reading, .setting, .applying, .largest, .stopping,
            ]),
            Story(steps: [.losing, .retrying], fault: ",lose-after=20"),
            // In the same size, so that the configuration still holds.
            Story(steps: [.opening, .sourceChange], fault: ",change-after=20:256x128"),
        ]

        private static let usual = FrameSize(width: 256, height: 128)
        private static let other = FrameSize(width: 512, height: 96)

        private static func configuration(_ size: FrameSize) -> SessionConfiguration {
            let controls = ControlSettings(["gain": .integer(32)])
            var configuration = SessionConfiguration(warmth: .linger(.seconds(60)), controls: controls)
            configuration.format.size = .exactly(size)
            return configuration
        }

        private static func run(_ story: Story, _ hang: Hang, _ body: (Stage) async throws -> Void) async throws {
            let pattern =
                "GREY:256x128@50,also=GREY:512x96@50,also=GREY:640x480@50,foreign-change-after=60"
                // So that it is asked of each frame whether it was overwritten.
                + ",overwrite-every=1000000"
            let patterns = (pattern + story.fault, pattern)
            try await Stage.run(patterns.0, patterns.1, configuration: configuration(usual), hang: hang, body)
        }

        private static func take(_ step: Step, _ hang: Hang, on stage: Stage) async throws {
            switch step {
            case .opening:
                _ = try await stage.take(deadline: .seconds(60)).code()
                // With the next frame that no client waits for, the controls are watched.
                let last = stage.counters.captured + 3
                _ = await TestClock().reaches { stage.counters.captured >= last || hang.isReached }
            case .streaming: _ = try await stage.take(deadline: .seconds(60)).code()
            case .changing:
                let told = Hang.Place(step.rawValue, "events()")
                #expect(await TestClock().reaches { hang.seen.contains(told) || hang.isReached })
            case .closedReading, .reading: _ = try await stage.session.controls()
            case .closedListing: _ = try await stage.session.formats()
            // It is the old one again before it is opened.
            case .closedApplying:
                _ = try await stage.session.apply(configuration(other))
                _ = try await stage.session.apply(configuration(usual))
            case .setting: _ = try await stage.session.setControls(ControlSettings(["gain": .integer(9)]))
            case .applying: _ = try await stage.session.apply(configuration(other))
            case .largest:
                _ = try await stage.stills.take(StillRequest(deadline: .seconds(60), isLargest: true))
            case .stopping: try await stage.session.stop()
            case .losing:
                // One that is started is tried again by itself.
                _ = try await stage.session.start()
                #expect(await stage.session.reaches(.interrupted))
            case .retrying: #expect(await stage.session.reaches(.running))
            case .sourceChange: #expect(await stage.runs(afterOpenings: 2))
            }
        }

        /// What can be asked of a session, with the limit of its answer.
        private struct Request: Sendable {
            let name: String
            let limit: Duration
            let ask: @Sendable (Stage) async throws -> Void
        }

        private static let soon = Duration.milliseconds(300)

        /// All that can be asked of a session.
        private static let requests = [
            Request(name: "set controls", limit: .seconds(1)) { stage in
                _ = try await stage.session.setControls(ControlSettings(["gain": .integer(200)]))
            },
            Request(name: "a still", limit: soon) { stage in _ = try await stage.take(deadline: soon) },
            Request(name: "the largest still", limit: soon) { stage in
                _ = try await stage.stills.take(StillRequest(deadline: soon, isLargest: true))
            },
            Request(name: "start", limit: .seconds(10)) { stage in _ = try await stage.session.start() },
            Request(name: "hold", limit: .seconds(10)) { stage in
                _ = try await stage.session.hold(HoldRequest(owner: "me", duration: .seconds(9)))
            },
            Request(name: "apply", limit: .seconds(1)) { stage in
                _ = try await stage.session.apply(configuration(other))
            },
            Request(name: "formats", limit: .seconds(1)) { stage in _ = try await stage.session.formats() },
            Request(name: "controls", limit: .seconds(1)) { stage in _ = try await stage.session.controls() },
            Request(name: "reset controls", limit: .seconds(1)) { stage in
                _ = try await stage.session.resetControls()
            },
            Request(name: "stop", limit: .seconds(1)) { stage in try await stage.session.stop() },
        ]

        /// Asks for everything at once, beginning with the request of that number: what comes to the session first is
        /// begun, and waits for the thread; the others wait for the session.
        private static func askAll(_ stage: Stage, _ place: Hang.Place, first: Int) async {
            // So many clients at once share two processors.
            let spare = Duration.seconds(1)
            await withTaskGroup(of: Void.self) { group in
                for request in requests[first...] + requests[..<first] {
                    let what = "\(place): \(request.name)"
                    group.addTask {
                        let began = TestClock().now
                        do {
                            try await request.ask(stage)
                            Issue.record("\(what) was answered though the device hangs")
                        } catch {
                            let code = (error as? Problem)?.code
                            #expect(code == .driverStuck || code == .deadlineExceeded, "\(what): \(error)")
                        }
                        let taken = TestClock().now - began
                        #expect(taken < (request.limit + spare), "\(what): \(taken)")
                    }
                }
            }
        }

        @Test func `a call that hangs holds no client up beyond its limit, and the camera is good when it returns`()
            async throws
        {
            // Each request is once the first while the session has nothing else to do.
            let runs =
                Self.places.map { ($0, 0) }
                + Self.requests.indices.map { (Hang.Place(Step.streaming.rawValue, "dequeue()"), $0) }
            // Each mostly waits: as many at once as two processors can carry.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, run) in runs.enumerated() {
                    if number >= 6 { try await group.next() }
                    group.addTask { try await Self.expectAnswers(at: run.0, first: run.1) }
                }
                try await group.waitForAll()
            }
        }

        /// Has the device hang there, asks for everything meanwhile, and takes a still when it has returned.
        private static func expectAnswers(at place: Hang.Place, first: Int) async throws {
            let hang = Hang(at: place)
            let story = try #require(stories.first { $0.steps.contains { $0.rawValue == place.step } })
            try await run(story, hang) { stage in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for step in story.steps {
                        hang.begin(step.rawValue)
                        guard step.rawValue != place.step else {
                            // It may be refused, too; what the camera does by itself does not happen while it hangs.
                            if ![.retrying, .sourceChange].contains(step) {
                                group.addTask { try? await take(step, hang, on: stage) }
                            }
                            break
                        }
                        if step != .changing { try await take(step, hang, on: stage) }
                        await TestClock().settle()
                    }
                    #expect(await TestClock().reaches { hang.isReached }, "\(place)")
                    let (openings, configuration) = (stage.log.openings, stage.session.report.configuration)
                    await askAll(stage, place, first: first)
                    // The status is there at any time, and says so.
                    #expect(stage.session.status.state.reason?.code == .driverStuck, "\(place)")
                    hang.gate.open()
                    let calls = stage.session.calls
                    #expect(await TestClock().reaches { calls.stuck(longerThan: soon) == nil }, "\(place)")
                    // Nothing of what was refused takes effect, but for the stop.
                    try await stage.session.stop()
                    #expect(stage.session.report.configuration == configuration, "\(place), \(first)")
                    // A stream is not begun again for a configuration that was refused while it was looked at.
                    if place.step == Step.applying.rawValue, ["formats()", "currentFormat()"].contains(place.call) {
                        #expect(stage.log.openings == openings, "\(place)")
                    }
                }
                let still = try await stage.take()
                _ = try still.code()
                #expect(stage.log.open == 1 && stage.log.mostOpen == 1, "\(place)")
                #expect(!stage.session.status.isStarted && stage.session.status.holds.isEmpty, "\(place)")
                #expect(!hang.written.contains(.integer(200)), "\(place), \(first)")
            }
        }

        @Test func `no call that a session makes of its device is left out`() async throws {
            var seen: Set<Hang.Place> = []
            for story in Self.stories {
                let hang = Hang(at: nil)
                try await Self.run(story, hang) { stage in
                    for step in story.steps {
                        hang.begin(step.rawValue)
                        try await Self.take(step, hang, on: stage)
                        // The calls that come of it are its own, not those of the next step.
                        await TestClock().settle()
                    }
                    // What the end of the test asks of the device is no step.
                    hang.begin("end")
                }
                seen.formUnion(hang.seen)
            }
            let places = Set(Self.places)
            #expect(places.subtracting(seen).isEmpty)
            let (steps, background) = (Set(places.map(\.step)), Set(Self.background))
            let others = seen.subtracting(places).filter { steps.contains($0.step) && !background.contains($0.call) }
            #expect(others.isEmpty)
        }

        @Test func `no call that a device must answer is left out`() throws {
            let device = try ProtocolRequirements(of: "CaptureDevice", in: "TintypeDevice/CaptureDevice.swift")
            let controlDriver = "TintypeDevice/Controls/ControlDriver.swift"
            let controls = try ProtocolRequirements(of: "ControlDriver", in: controlDriver)
            // What follows on formats() where they are a range; the test pattern lists each of its sizes.
            let calls = Set(Self.places.map(\.call)).subtracting(["open"]).union(["description(of:in:)"])
            #expect(device.functions.union(controls.functions) == calls)
            // What a device answers from its memory; a property that asks its driver belongs into the places.
            let answered = ["identity", "descriptor", "tellsSourceChanges", "clock", "controls"]
            #expect(device.properties == Set(answered + ["overwritesLentBuffers"]))
            #expect(controls.properties == ["path"])
        }

        private static let opening = [
            "open", "formats()", "currentFormat()", "selectInput(_:)", "configure(_:crop:)", "makeConverter(for:)",
            "exposureTime()", "list()", "describe(_:)", "read(_:)", "write(_:)", "watch(_:)", "start()",
        ]
        private static let streaming = ["dequeue()", "reclaim()", "mayHaveOverwritten(_:)"]
        /// What a camera that streams is asked at any time, whatever clients ask; `streaming` and `changing` have it.
        private static let background = streaming + ["events()", "exposureTime()"]
        private static let places: [Hang.Place] = [
            (Step.closedReading, ["open", "list()", "describe(_:)", "read(_:)", "write(_:)"]),
            (.closedListing, ["open", "formats()"]),
            (.closedApplying, ["open", "formats()", "currentFormat()", "selectInput(_:)", "configure(_:crop:)"]),
            (Step.opening, opening + streaming), (.streaming, streaming),
            (.changing, ["events()", "read(_:)"]), (.reading, ["list()", "describe(_:)", "read(_:)", "watch(_:)"]),
            (.setting, ["list()", "describe(_:)", "read(_:)", "write(_:)", "watch(_:)"]),
            (.applying, opening + ["stop()"]),
            (.largest, opening + streaming + ["stop()"]), (.stopping, ["stop()"]),
            (.retrying, opening + streaming), (.sourceChange, opening + streaming + ["events()", "stop()"]),
        ].flatMap { step, calls in calls.map { Hang.Place(step.rawValue, $0) } }
    }
}
