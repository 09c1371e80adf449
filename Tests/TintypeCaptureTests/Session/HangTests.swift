// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Every device call hangs once in each phase of a session: clients are answered within their limits, and the
    /// camera works again when the call returns.
    struct HangTests {
        /// Steps of a session; `changing` is a control change by another program.
        private enum Step: String {
            case closedReading, closedListing, closedApplying
            case opening, streaming, changing, reading, setting, applying, largest, stopping
            case losing, retrying
            case sourceChange
        }

        /// A session as a sequence of steps.
        private struct Story {
            let steps: [Step]
            /// Fault options of the first device.
            var fault = ""
        }

        private static let stories = [
            Story(steps: [
                .closedReading, .closedListing, .closedApplying, .opening, .streaming, .changing,
                .reading, .setting, .applying, .largest, .stopping,
            ]),
            Story(steps: [.losing, .retrying], fault: ",lose-after=20"),
            // The size stays the same, so that the configuration remains valid.
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
                // Makes the session check every frame for an overwrite.
                + ",overwrite-every=1000000"
            let patterns = (pattern + story.fault, pattern)
            try await Stage.run(patterns.0, patterns.1, configuration: configuration(usual), hang: hang, body)
        }

        private static func take(_ step: Step, _ hang: Hang, on stage: Stage) async throws {
            switch step {
            case .opening:
                _ = try await stage.take(deadline: .seconds(60)).code()
                // Control events are subscribed at the next frame without a waiting client.
                let last = stage.counters.captured + 3
                _ = await TestClock().reaches { stage.counters.captured >= last || hang.isReached }
            case .streaming: _ = try await stage.take(deadline: .seconds(60)).code()
            case .changing:
                let told = Hang.Place(step.rawValue, "events()")
                #expect(await TestClock().reaches { hang.seen.contains(told) || hang.isReached })
            case .closedReading, .reading: _ = try await stage.session.controls.all()
            case .closedListing: _ = try await stage.session.formats()
            // The old configuration is restored before the device opens.
            case .closedApplying:
                _ = try await stage.session.apply(configuration(other))
                _ = try await stage.session.apply(configuration(usual))
            case .setting: _ = try await stage.session.controls.set(ControlSettings(["gain": .integer(9)]))
            case .applying: _ = try await stage.session.apply(configuration(other))
            case .largest:
                _ = try await stage.stills.take(StillRequest(deadline: .seconds(60), isLargest: true))
            case .stopping: try await stage.session.stop()
            case .losing:
                // A started camera is retried without clients.
                _ = try await stage.session.start()
                #expect(await stage.session.reaches(.interrupted))
            case .retrying: #expect(await stage.session.reaches(.running))
            case .sourceChange: #expect(await stage.runs(afterOpenings: 2))
            }
        }

        /// A request to a session and the limit of its answer.
        private struct Request: Sendable {
            let name: String
            let limit: Duration
            let ask: @Sendable (Stage) async throws -> Void
        }

        private static let soon = Duration.milliseconds(300)

        private static let requests = [
            Request(name: "set controls", limit: .seconds(1)) { stage in
                _ = try await stage.session.controls.set(ControlSettings(["gain": .integer(200)]))
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
            Request(name: "controls", limit: .seconds(1)) { stage in _ = try await stage.session.controls.all() },
            Request(name: "reset controls", limit: .seconds(1)) { stage in
                _ = try await stage.session.controls.reset()
            },
            Request(name: "stop", limit: .seconds(1)) { stage in try await stage.session.stop() },
        ]

        /// Sends all requests at once, beginning with request `first`: the first one waits for the thread, the others
        /// wait for the session.
        private static func askAll(_ stage: Stage, _ place: Hang.Place, first: Int) async {
            // Allowance for many concurrent clients on two processors.
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

        @Test func `a hanging call delays no client beyond its limit`() async throws {
            // Each request comes first once while the session is otherwise idle.
            let runs =
                Self.places.map { ($0, 0) }
                + Self.requests.indices.map { (Hang.Place(Step.streaming.rawValue, "dequeue()"), $0) }
            // Runs mostly wait; six at once suit two processors.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, run) in runs.enumerated() {
                    if number >= 6 { try await group.next() }
                    group.addTask { try await Self.expectAnswers(at: run.0, first: run.1) }
                }
                try await group.waitForAll()
            }
        }

        /// Makes the device hang at `place`, sends all requests, and takes a still after the call returns.
        private static func expectAnswers(at place: Hang.Place, first: Int) async throws {
            let hang = Hang(at: place)
            let story = try #require(stories.first { $0.steps.contains { $0.rawValue == place.step } })
            try await run(story, hang) { stage in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for step in story.steps {
                        hang.begin(step.rawValue)
                        guard step.rawValue != place.step else {
                            // The step may fail; automatic steps do not start while the device hangs.
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
                    // The status stays available and reports the hang.
                    #expect(stage.session.status.state.reason?.code == .driverStuck, "\(place)")
                    hang.gate.open()
                    let calls = stage.session.context.calls
                    #expect(await TestClock().reaches { calls.stuck(longerThan: soon) == nil }, "\(place)")
                    // Rejected requests have no effect, except the stop.
                    try await stage.session.stop()
                    #expect(stage.session.report.configuration == configuration, "\(place), \(first)")
                    // A configuration rejected while formats are read does not restart the stream.
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

        @Test func `the hang tests cover every call of a session`() async throws {
            var seen: Set<Hang.Place> = []
            for story in Self.stories {
                let hang = Hang(at: nil)
                try await Self.run(story, hang) { stage in
                    for step in story.steps {
                        hang.begin(step.rawValue)
                        try await Self.take(step, hang, on: stage)
                        // Calls caused by a step belong to that step.
                        await TestClock().settle()
                    }
                    // Calls made while the test ends belong to no step.
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

        @Test func `the hang tests cover every requirement of a device`() throws {
            let device = try ProtocolRequirements(of: "CaptureDevice", in: "TintypeDevice/CaptureDevice.swift")
            let controlDriver = "TintypeDevice/Controls/DeviceControls.swift"
            let controls = try ProtocolRequirements(of: "ControlDriver", in: controlDriver)
            // Called only for ranges of sizes; the test pattern lists each size.
            let calls = Set(Self.places.map(\.call)).subtracting(["open"]).union(["description(of:in:)"])
            #expect(device.functions.union(controls.functions) == calls)
            // Properties answered from memory; a property that calls the driver must be added to `places`.
            let answered = ["identity", "descriptor", "tellsSourceChanges", "clock", "controls"]
            #expect(device.properties == Set(answered + ["overwritesLentBuffers"]))
            #expect(controls.properties == ["path"])
        }

        private static let opening = [
            "open", "formats()", "currentFormat()", "selectInput(_:)", "configure(_:crop:)", "makeConverter(for:)",
            "exposureTime()", "list()", "describe(_:)", "read(_:)", "write(_:)", "watch(_:)", "start()",
        ]
        private static let streaming = ["dequeue()", "reclaim()", "mayHaveOverwritten(_:)"]
        /// Calls made at any time while streaming; covered by `streaming` and `changing`.
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
