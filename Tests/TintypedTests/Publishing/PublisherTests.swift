// SPDX-License-Identifier: Apache-2.0
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing
import TintypeModel

@testable import tintyped

@Suite(.timeLimit(.minutes(1)))
struct PublisherTests {
    /// A camera that is told what to do with each slot.
    final class Camera: Sendable {
        private let state = Mutex((taken: [Duration](), deadlines: [Duration](), missed: 0, busy: 0, overlaps: 0))
        let clock = ManualClock()
        let lines = LineRecorder()

        var taken: [Duration] { state.withLock(\.taken) }
        var deadlines: [Duration] { state.withLock(\.deadlines) }
        var missed: Int { state.withLock(\.missed) }
        var overlaps: Int { state.withLock(\.overlaps) }

        /// A publisher whose n-th frame, from 0, is `answer(n)`.
        func publisher(
            every: Duration,
            answer: @escaping @Sendable (Int) async throws(Problem) -> Void
        ) -> Publisher<ManualClock> {
            Publisher(
                camera: "front",
                schedule: PublishSchedule(every: every),
                clock: clock,
                logger: lines.logger,
                missed: { slots in self.state.withLock { $0.missed += slots } },
                take: { (deadline) throws(Problem) in
                    let moment = self.clock.now.offset
                    let count = self.state.withLock { state in
                        state.taken.append(moment)
                        state.deadlines.append(deadline)
                        if state.busy > 0 { state.overlaps += 1 }
                        state.busy += 1
                        return state.taken.count - 1
                    }
                    defer { self.state.withLock { $0.busy -= 1 } }
                    try await answer(count)
                    return Camera.record
                }
            )
        }

        static let record = StillRecord(
            id: FrameID(at: .now()),
            camera: "front",
            bytes: 1,
            width: 1,
            height: 1,
            sequence: 0,
            capturedAt: .now(),
            timestampSource: .dequeue
        )
    }

    static let dark = Problem(.deadlineExceeded, "No frame in 5 s.", remedy: "Try again.")
    static let lost = Problem(.deviceLost, "The camera is gone.", remedy: "Plug it in.")

    /// Runs `publisher` while `drive` moves its clock, then stops it gracefully.
    private func run(
        _ publisher: Publisher<ManualClock>,
        _ drive: @escaping @Sendable () async -> Void
    ) async {
        await testGracefulShutdown { trigger in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await publisher.run() }
                await drive()
                trigger.triggerGracefulShutdown()
                await group.waitForAll()
            }
        }
    }

    @Test func `the first frame is taken at once, then one at every slot from the start`() async {
        let camera = Camera()
        await run(camera.publisher(every: .seconds(60)) { _ in }) {
            var slept = 0
            for await end in camera.clock.sleeps {
                slept += 1
                if slept == 4 { break }
                // Later than the slot: the next one is not moved by it.
                camera.clock.move(to: end + .milliseconds(700))
            }
        }
        #expect(camera.taken == [.zero, .milliseconds(60_700), .milliseconds(120_700), .milliseconds(180_700)])
        #expect(camera.missed == 0)
        #expect(camera.deadlines.allSatisfy { $0 == .seconds(5) })
    }

    @Test func `a short interval is also the deadline`() async {
        let camera = Camera()
        await run(camera.publisher(every: .milliseconds(250)) { _ in }) {
            for await _ in camera.clock.sleeps { break }
        }
        #expect(camera.deadlines == [.milliseconds(250)])
    }

    @Test func `slots that pass during a frame are missed, and never made up`() async {
        let camera = Camera()
        let publisher = camera.publisher(every: .seconds(10)) { count in
            if count == 0 { camera.clock.move(to: .seconds(35)) }
        }
        await run(publisher) {
            for await end in camera.clock.sleeps {
                if end == .seconds(50) { break }
                camera.clock.move(to: end)
            }
        }
        #expect(camera.taken == [.zero, .seconds(40)])
        #expect(camera.missed == 3)
        #expect(camera.overlaps == 0)
    }

    @Test func `a failure is a missed slot, logged once for each run of its kind`() async {
        let camera = Camera()
        let publisher = camera.publisher(every: .seconds(1)) { (count) throws(Problem) in
            switch count {
            case 0, 1, 2: throw Self.dark
            case 3: throw Self.lost
            default: break
            }
        }
        await run(publisher) {
            for await end in camera.clock.sleeps {
                if end == .seconds(6) { break }
                camera.clock.move(to: end)
            }
        }
        #expect(camera.missed == 4)
        let lines = camera.lines.lines.filter { !$0.contains(">published ") }
        #expect(
            lines == [
                "<4>no frame published: No frame in 5 s. Try again. camera=front code=deadline-exceeded",
                "<7>no frame published: No frame in 5 s. Try again. camera=front code=deadline-exceeded",
                "<7>no frame published: No frame in 5 s. Try again. camera=front code=deadline-exceeded",
                "<4>no frame published: The camera is gone. Plug it in. camera=front code=device-lost",
                "<6>frames are published again camera=front missed=4",
            ]
        )
    }

    @Test func `graceful shutdown ends a frame that is being taken, which is not a missed slot`() async {
        let camera = Camera()
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let (never, hold) = AsyncStream.makeStream(of: Void.self)
        defer { hold.finish() }
        let publisher = camera.publisher(every: .seconds(1)) { (_) throws(Problem) in
            begin.yield()
            for await _ in never {}
            throw Problem(.stopping, "The request was given up.", remedy: "Send it again.")
        }
        await run(publisher) {
            for await _ in began { break }
        }
        #expect(camera.taken == [.zero])
        #expect(camera.missed == 0)
        #expect(camera.lines.lines.isEmpty)
    }

    @Test func `graceful shutdown ends the wait for a slot`() async {
        let camera = Camera()
        await run(camera.publisher(every: .seconds(3600)) { _ in }) {
            for await _ in camera.clock.sleeps { break }
        }
        #expect(camera.taken == [.zero])
    }
}
