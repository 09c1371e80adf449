// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

struct HookRunnerTests {
    /// Journal and recorded attempts of one hook.
    private final class Site: Sendable {
        let clock = TestClock()
        let journal: EventJournal
        let lines = LineRecorder()
        let events = Mutex<[Event]>([])
        let attempts = Mutex<[MonotonicTime]>([])
        let limits = Recorder<Duration>()
        let running = Mutex<(now: Int, most: Int)>((0, 0))
        let answer: @Sendable (Int) async -> HookCommand.Completion

        /// Creates a hook whose n-th attempt ends with `answer(n)`.
        init(_ answer: @escaping @Sendable (Int) async -> HookCommand.Completion = { _ in (.ok, "It ended with 0.") }) {
            self.answer = answer
            journal = EventJournal(now: Timestamp(microseconds: 1000), clock: clock)
        }

        /// Creates a hook whose attempts succeed once `gate` is raised.
        convenience init(holding gate: OnceFlag) {
            self.init { _ in
                try? await eventually("the commands may end") { gate.isRaised }
                return (.ok, "It ended with 0.")
            }
        }

        func runner(_ change: (inout HookConfiguration) -> Void = { _ in }) -> HookRunner {
            var hook = HookConfiguration(name: "notify", kinds: [.cameraLost, .cameraBack], command: ["/bin/true"])
            change(&hook)
            return HookRunner(
                hook,
                journal: journal,
                clock: clock,
                logger: lines.logger,
                attempt: { json, limit in
                    self.limits.add(limit)
                    self.attempts.withLock { $0.append(self.clock.now) }
                    let event = try? WireFormat.decode(Event.self, from: json)
                    let number = self.events.withLock { events in
                        if let event { events.append(event) }
                        return events.count
                    }
                    self.running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    defer { self.running.withLock { $0.now -= 1 } }
                    return await self.answer(number)
                }
            )
        }

        func run(_ runner: HookRunner, _ body: () async throws -> Void) async throws {
            let running = Task { await runner.cancellation.runUntilCancelled([runner.run]) }
            try await body()
            runner.cancellation.cancel()
            await running.value
        }
    }

    @Test func `runs for events of its kinds and cameras`() async throws {
        let site = Site()
        let runner = site.runner { ($0.cameras, $0.timeLimit) = (["yard"], .seconds(7)) }
        try await site.run(runner) {
            site.journal.append(Event(.cameraLost, camera: "door", "one"))
            site.journal.append(Event(.cameraLost, camera: "yard", "two"))
            site.journal.append(Event(.frameStored, camera: "yard", "three"))
            site.journal.append(Event(.cameraBack, camera: "yard", "four"))
            try await eventually("it has run twice") { runner.status.succeeded == 2 }
        }
        #expect(site.events.withLock { $0.map(\.detail) } == ["two", "four"])
        #expect(site.limits.values == [.seconds(7), .seconds(7)])
        let status = runner.status
        #expect(status.failed == 0 && status.missed == 0 && status.running == 0)
        #expect(status.results.map(\.outcome) == [.ok, .ok] && status.results.map(\.attempts) == [1, 1])
        #expect(status.results.map(\.kind) == [.cameraLost, .cameraBack])
    }

    @Test func `an event between init and run is not missed`() async throws {
        let site = Site()
        site.journal.append(Event(.cameraLost, camera: "yard", "before"))
        let runner = site.runner()
        site.journal.append(Event(.cameraLost, camera: "yard", "one"))
        try await site.run(runner) {
            try await eventually("it has run") { runner.status.succeeded == 1 }
        }
        #expect(site.events.withLock { $0.map(\.detail) } == ["one"])
    }

    @Test func `retries a failing command with growing pauses`() async throws {
        let site = Site { number in number <= 6 ? (.failed, "It ended with 3.") : (.ok, "It ended with 0.") }
        let runner = site.runner { $0.retries = 2 }
        try await site.run(runner) {
            for count in 1...3 {
                site.journal.append(Event(.cameraLost, camera: "yard", "lost"))
                try await eventually("it is done") { runner.status.results.count == count }
            }
        }
        #expect(runner.status.results.map(\.outcome) == [.failed, .failed, .ok])
        #expect(runner.status.results.map(\.attempts) == [3, 3, 1])
        #expect(runner.status.failed == 2 && runner.status.succeeded == 1)
        // Three attempts for each of the first two events.
        let attempts = site.attempts.withLock(\.self)
        let pauses = [1, 2, 4, 5].map { attempts[$0] - attempts[$0 - 1] }
        for (pause, least) in zip(pauses, [1, 2, 1, 2]) {
            #expect(pause >= .milliseconds(500) * least, "\(pauses)")
        }
        // The clock may have moved on before an attempt notes its time.
        #expect(HookRunner.pause(before: 1) <= .seconds(1) && HookRunner.pause(before: 2) <= .seconds(2))
        #expect(HookRunner.pause(before: 30) <= .seconds(60) && HookRunner.pause(before: 30) >= .seconds(30))
        let lines = site.lines.lines.filter { $0.contains("hook failed") }
        #expect(lines.count == 2 && lines[0].hasPrefix("<4>") && lines[1].hasPrefix("<7>"), "\(lines)")
        #expect(site.lines.lines.contains { $0.contains("the hook works again") })
        #expect(site.lines.messageIDs == [.hookFailed, .hookFailed])
    }

    @Test func `an event that fails does not hold up those behind it`() async throws {
        let site = Site { number in number == 1 ? (.failed, "It ended with 3.") : (.ok, "It ended with 0.") }
        let runner = site.runner { $0.retries = 10 }
        try await site.run(runner) {
            for detail in ["first", "second", "third"] {
                site.journal.append(Event(.cameraLost, camera: "yard", detail))
            }
            try await eventually("all are done") { runner.status.succeeded == 3 }
        }
        #expect(site.events.withLock { $0.map(\.detail) } == ["first", "second", "third", "first"])
        #expect(runner.status.results.map(\.attempts) == [1, 1, 2])
        #expect(site.running.withLock(\.most) == 1 && runner.status.running == 0)
    }

    @Test func `a hook that always fails leaves later events in the journal`() async throws {
        let site = Site { _ in (.failed, "It ended with 3.") }
        let runner = site.runner { $0.retries = 1 }
        let count = HookRunner.mostRetried + 10
        try await site.run(runner) {
            for _ in 0..<count { site.journal.append(Event(.cameraLost, camera: "yard", "lost")) }
            try await eventually("all are done") { runner.status.failed == count }
        }
        let (numbers, most) = (site.events.withLock { $0.map(\.id) }, HookRunner.mostRetried)
        #expect(numbers.count == 2 * count && Set(numbers.prefix(most)).count == most)
        // The first retry is before the last first attempts.
        #expect(Set(numbers.prefix(count)).count < count)
        #expect(runner.status.results.allSatisfy { $0.attempts == 2 })
    }

    @Test(arguments: [1, 3]) func `runs at most atOnce commands at a time`(most: Int) async throws {
        let gate = OnceFlag()
        let site = Site(holding: gate)
        let runner = site.runner { $0.atOnce = most }
        try await site.run(runner) {
            for _ in 0..<10 { site.journal.append(Event(.cameraLost, camera: "yard", "lost")) }
            try await eventually("as many run as may") { site.running.withLock(\.now) == most }
            try await eventually("the others wait") { runner.status.waiting == 10 - most }
            #expect(runner.status.running == most && runner.status.waitingMs != nil)
            gate.raise()
            try await eventually("all are done") { runner.status.succeeded == 10 }
        }
        #expect(runner.status.waiting == 0 && runner.status.waitingMs == nil)
        #expect(site.running.withLock(\.most) == most)
    }

    @Test func `counts events missed while a command hangs`() async throws {
        let gate = OnceFlag()
        let site = Site(holding: gate)
        let runner = site.runner()
        try await site.run(runner) {
            site.journal.append(Event(.cameraLost, camera: "yard", "first"))
            try await eventually("it hangs") { site.running.withLock(\.now) == 1 }
            let place = site.journal.newest
            let count = EventJournal.capacity + 1000
            for _ in 0..<count { site.journal.append(Event(.cameraBack, camera: "yard", "more")) }
            #expect(site.journal.newest == place + count)
            gate.raise()
            try await eventually("it has caught up") { runner.status.running == 0 && runner.status.missed > 0 }
            try await eventually("all that is kept is done") {
                runner.status.succeeded + runner.status.missed == UInt64(EventJournal.capacity + 1001)
            }
        }
    }

    @Test func `five losses of a second call nothing, and a long one calls for its start and its end`() async throws {
        let site = Site()
        // The event of the end only: its start counts nevertheless.
        let runners = [
            site.runner { $0.lasting = .seconds(300) },
            site.runner { ($0.lasting, $0.kinds, $0.cameras) = (.seconds(300), [.cameraBack], ["yard"]) },
        ]
        func happens(_ kind: Event.Kind, _ detail: String) {
            var event = Event(kind, camera: "yard", detail)
            event.at = site.clock.wall
            site.journal.append(event)
        }
        try await site.run(runners[0]) {
            try await site.run(runners[1]) {
                for _ in 0..<5 {
                    happens(.cameraLost, "short")
                    try await site.clock.sleep(for: .seconds(1))
                    happens(.cameraBack, "short")
                    try await site.clock.sleep(for: .seconds(60))
                }
                happens(.cameraLost, "long")
                try await site.clock.sleep(for: .seconds(299))
                #expect(site.events.withLock(\.count) == 0)
                let waiting = runners[0].status
                let age = try #require(waiting.waitingMs).duration
                #expect(waiting.waiting == 1 && age >= .seconds(299) && age < .seconds(300))
                try await site.clock.sleep(for: .seconds(2))
                #expect(runners[0].status.succeeded == 1)
                #expect(runners[0].status.waiting == 0 && runners[0].status.waitingMs == nil)
                happens(.cameraBack, "long")
                try await eventually("both have run") {
                    runners[0].status.succeeded == 2 && runners[1].status.succeeded == 1
                }
            }
        }
        #expect(runners[0].status.results.map(\.kind) == [.cameraLost, .cameraBack])
        #expect(site.events.withLock { $0.map(\.detail) } == ["long", "long", "long"])
    }

    @Test func `a hook that is busy does not take a short loss for a long one`() async throws {
        let gate = OnceFlag()
        let site = Site(holding: gate)
        let runner = site.runner { ($0.lasting, $0.kinds) = (.seconds(300), [.frameStored, .cameraLost, .cameraBack]) }
        /// With a time of a clock that is stepped again and again.
        func happens(_ kind: Event.Kind) {
            var event = Event(kind, camera: "yard", "")
            event.at = Timestamp(microseconds: 0)
            site.journal.append(event)
        }
        try await site.run(runner) {
            happens(.frameStored)
            try await eventually("it hangs") { site.running.withLock(\.now) == 1 }
            // Its command may run only once the gate is open.
            happens(.frameStored)
            for seconds in [1, 400] {
                happens(.cameraLost)
                try await site.clock.sleep(for: .seconds(seconds))
                happens(.cameraBack)
            }
            try await eventually("the others wait") { runner.status.waiting == 5 }
            let age = try #require(runner.status.waitingMs).duration
            #expect(age >= .seconds(401) && age < .seconds(402))
            gate.raise()
            try await eventually("all are done") { runner.status.succeeded == 4 }
        }
        let kinds = site.events.withLock { $0.map(\.kind) }
        #expect(kinds == [.frameStored, .frameStored, .cameraLost, .cameraBack])
    }

    @Test(arguments: [[SessionState.off], [.off, .opening, .running]])
    func `a lost camera that is off, or was configured anew and works, calls nothing`(_ states: [SessionState])
        async throws
    {
        let site = Site()
        let runner = site.runner { ($0.lasting, $0.kinds) = (.seconds(300), [.cameraLost]) }
        try await site.run(runner) {
            site.journal.append(Event(.cameraLost, camera: "yard", "lost"))
            try await site.clock.sleep(for: .seconds(60))
            for state in states { site.journal.append(.state(state, of: "yard")) }
            try await site.clock.sleep(for: .seconds(600))
            #expect(runner.status.waiting == 0)
            site.journal.append(Event(.cameraLost, camera: "yard", "anew"))
            try await site.clock.sleep(for: .seconds(301))
            try await eventually("it has run") { runner.status.succeeded == 1 }
        }
        #expect(site.events.withLock { $0.map(\.detail) } == ["anew"])
    }

    @Test func `what lasts without a call does not wait`() async throws {
        let site = Site()
        let runner = site.runner { ($0.lasting, $0.kinds) = (.seconds(300), [.cameraBack]) }
        try await site.run(runner) {
            site.journal.append(Event(.cameraLost, camera: "yard", "lost"))
            try await site.clock.sleep(for: .seconds(60))
            #expect(runner.status.waiting == 0 && runner.status.waitingMs == nil)
        }
    }

    @Test func `cancellation cancels the running command`() async throws {
        let site = Site { _ in
            try? await eventually("the hook is given up") { Task.isCancelled }
            return (.late, "It was ended.")
        }
        let runner = site.runner()
        try await site.run(runner) {
            site.journal.append(Event(.cameraLost, camera: "yard", "first"))
            try await eventually("it runs") { site.running.withLock(\.now) == 1 }
        }
        #expect(site.running.withLock(\.now) == 0 && runner.status.results.isEmpty)
    }
}
