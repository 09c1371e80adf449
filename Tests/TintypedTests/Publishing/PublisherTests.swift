// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

struct PublisherTests {
    /// Camera with a scripted result for each slot, on a manual clock.
    final class Camera: Sendable {
        private let state = Mutex((taken: [Duration](), deadlines: [Duration](), busy: 0, overlaps: 0))
        let clock = ManualClock(at: moment("2026-11-21 12:00"))
        let lines = LineRecorder()
        let publication: Publication

        init() {
            let logger = lines.logger
            publication = Publication(camera: "front", schedule: "often", counters: nil, logger: logger) { _ in }
        }

        var taken: [Duration] { state.withLock(\.taken) }
        var deadlines: [Duration] { state.withLock(\.deadlines) }
        var overlaps: Int { state.withLock(\.overlaps) }
        var status: PublishingStatus { publication.status }
        var missed: Int { Int((status.missed ?? [:]).values.reduce(0, +)) }

        /// Wall clock time at `offset` from the start, which is noon.
        func wall(_ offset: Duration) -> Timestamp { clock.wall(at: ManualClock.start + offset) }

        /// Publisher whose n-th frame, counted from 0, is `answer(n)`.
        func publisher(
            every: Duration,
            _ alignment: SlotTimes.Alignment = .start,
            answer: @escaping @Sendable (Int) async throws(Problem) -> Void
        ) -> Publisher {
            Publisher(
                times: SlotTimes(every: every, alignment: alignment),
                longest: { .seconds(5) },
                clock: clock,
                publication: publication,
                take: { (deadline) throws(Problem) in
                    let moment = self.clock.offset
                    let count = self.state.withLock { state in
                        state.taken.append(moment)
                        state.deadlines.append(deadline)
                        if state.busy > 0 { state.overlaps += 1 }
                        state.busy += 1
                        return state.taken.count - 1
                    }
                    defer { self.state.withLock { $0.busy -= 1 } }
                    try await answer(count)
                    return (Camera.captured, "a")
                }
            )
        }

        /// Moves the clock to `next(end)` for the end of each sleep, until that is nil.
        func pass(_ next: (Duration) -> Duration?) async {
            for await end in clock.sleeps {
                guard let moment = next(end) else { return }
                clock.move(to: moment)
            }
        }

        static let captured = moment("2026-11-21 12:34")
    }

    private let camera = Camera()
    static let dark = Problem(.deadlineExceeded, "No frame in 5 s.", remedy: "Try again.")
    static let lost = Problem(.deviceLost, "The camera is gone.", remedy: "Plug it in.")

    @Test func `takes the first frame at once, then one per slot`() async throws {
        try await running([camera.publisher(every: .seconds(60)) { _ in }]) {
            for await end in camera.clock.sleeps {
                if camera.taken.count == 4 { break }
                // Later than the slot, without an effect on the next one.
                camera.clock.move(to: end + .milliseconds(700))
            }
        }
        #expect(camera.taken.count == 4 && camera.taken.first == .zero)
        for (index, moment) in camera.taken.enumerated() {
            #expect((.seconds(60 * index) ... .seconds(60 * index) + .milliseconds(700)).contains(moment))
        }
        #expect(camera.missed == 0 && camera.status.published == 4)
        #expect(camera.status.lastPublishedAt == Camera.captured)
        #expect(camera.status.next == moment("2026-11-21 12:04"))
        #expect(camera.deadlines.allSatisfy { $0 == .seconds(5) })
    }

    @Test func `aligned slots follow a wall clock that is set`() async throws {
        camera.clock.set(by: .seconds(23))
        try await running([camera.publisher(every: .seconds(60), .clock(minutes: 0)) { _ in }]) {
            await camera.pass { end in
                let isSet = camera.wall(.zero) > moment("2026-11-21 13:00")
                if camera.taken.count == 2, !isSet { camera.clock.set(by: .seconds(3610)) }
                return camera.taken.count == 4 ? nil : end
            }
        }
        #expect(camera.taken.prefix(2) == [.seconds(37), .seconds(97)])
        let later = camera.taken.dropFirst(2).map { camera.wall($0) }
        #expect(later == [moment("2026-11-21 13:03"), moment("2026-11-21 13:04")])
        #expect(camera.missed == 0)
        let told = camera.lines.lines.filter { $0.contains("the wall clock was set forward") }
        #expect(told.contains { $0.contains("by=3610s") })
    }

    @Test func `a short interval is also the deadline`() async throws {
        try await running([camera.publisher(every: .milliseconds(250)) { _ in }]) {
            for await _ in camera.clock.sleeps { break }
        }
        #expect(camera.deadlines == [.milliseconds(250)])
    }

    @Test func `slots during a frame are missed as busy`() async throws {
        let publisher = camera.publisher(every: .seconds(10)) { count in
            if count == 0 { camera.clock.move(to: .seconds(35)) }
        }
        try await running([publisher]) { await camera.pass { $0 > .seconds(40) ? nil : $0 } }
        #expect(camera.taken == [.zero, .seconds(40)])
        #expect(camera.overlaps == 0)
        #expect(camera.status.missed == ["busy": 3])
        let run = camera.status.lastMissed?.first
        #expect(run?.first == moment("2026-11-21 12:00:10") && run?.last == moment("2026-11-21 12:00:30"))
        #expect(run?.reason == "busy" && run?.count == 3)
    }

    @Test func `slots during a suspend are missed as asleep`() async throws {
        try await running([camera.publisher(every: .seconds(60)) { _ in }]) {
            await camera.pass { end in
                if camera.taken.count == 2 { return nil }
                if end == .seconds(1) { camera.clock.suspend(for: .seconds(3650)) }
                return end
            }
        }
        // The monotonic clock stood still during the suspend.
        #expect(camera.taken.last == .seconds(10))
        #expect(camera.status.missed == ["asleep": 60])
        #expect(camera.status.lastMissed?.map(\.last) == [moment("2026-11-21 13:00")])
    }

    @Test func `equal failures in a row are missed slots with one warning`() async throws {
        let publisher = camera.publisher(every: .seconds(1)) { (count) throws(Problem) in
            switch count {
            case 0, 1, 2: throw Self.dark
            case 3: throw Self.lost
            default: break
            }
        }
        try await running([publisher]) { await camera.pass { $0 > .seconds(5) ? nil : $0 } }
        #expect(camera.status.missed == ["deadline-exceeded": 3, "device-lost": 1])
        #expect(camera.status.lastMissed?.map(\.count) == [3, 1])
        #expect(camera.status.problem == nil)
        let lines = camera.lines.lines.filter { !$0.contains(">published ") }
        func line(_ level: Int, _ text: String, _ code: String, _ second: Int) -> String {
            "<\(level)>no frame published: \(text) camera=front code=\(code) schedule=often"
                + " slot=2026-11-21T12:00:0\(second).000000Z"
        }
        #expect(
            lines == [
                line(4, "No frame in 5 s. Try again.", "deadline-exceeded", 0),
                line(7, "No frame in 5 s. Try again.", "deadline-exceeded", 1),
                line(7, "No frame in 5 s. Try again.", "deadline-exceeded", 2),
                line(4, "The camera is gone. Plug it in.", "device-lost", 3),
                "<6>frames are published again camera=front first=2026-11-21T12:00:00.000000Z"
                    + " last=2026-11-21T12:00:03.000000Z missed=4 schedule=often",
            ]
        )
        #expect(camera.lines.messageIDs == Array(repeating: .publishingFailed, count: 4))
    }

    @Test func `the status has the problem of the last failed slot`() async throws {
        try await running([camera.publisher(every: .seconds(1)) { (_) throws(Problem) in throw Self.lost }]) {
            await camera.pass { $0 > .seconds(2) ? nil : $0 }
        }
        #expect(camera.status.problem == Self.lost)
        #expect(camera.status.published == 0 && camera.status.lastPublishedAt == nil)
    }

    @Test func `an older frame that is stored later is not the last one`() {
        for time in [Camera.captured, Camera.captured - .seconds(3)] { camera.publication.published(time, as: "a") }
        #expect(camera.status.published == 2 && camera.status.lastPublishedAt == Camera.captured)
    }

    @Test func `a shutdown during a frame is not a missed slot`() async throws {
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let (never, hold) = AsyncStream.makeStream(of: Void.self)
        defer { hold.finish() }
        let publisher = camera.publisher(every: .seconds(1)) { (_) throws(Problem) in
            begin.yield()
            for await _ in never {}
            throw Problem(.stopping, "The request was abandoned.", remedy: "Send it again.")
        }
        try await running([publisher]) {
            for await _ in began { break }
        }
        #expect(camera.taken == [.zero])
        #expect(camera.missed == 0)
        #expect(camera.lines.lines.isEmpty)
    }

    @Test func `a shutdown ends the wait for a slot`() async throws {
        try await running([camera.publisher(every: .seconds(3600)) { _ in }]) {
            for await _ in camera.clock.sleeps { break }
        }
        #expect(camera.taken == [.zero])
    }
}
