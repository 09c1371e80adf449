// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TestSupport
import Testing
import TintypeSystem

struct HeartbeatTests {
    /// Returns a flag that the answer raises.
    private func ask(_ heartbeat: Heartbeat) -> OnceFlag {
        let answer = OnceFlag()
        heartbeat.ask { answer.raise() }
        return answer
    }

    @Test(arguments: [Heartbeat.pool, .alarms]) func `the pool and the alarm clock answer`(_ part: Heartbeat)
        async throws
    {
        let answer = ask(part)
        try await eventually("\(part.name) answers") { answer.isRaised }
    }

    @Test func `a queue answers as soon as one of its threads is free`() async throws {
        let gate = Gate()
        let one = WorkerThreads<Void>(name: "tt-one", count: 1) {}
        let two = WorkerThreads<Void>(name: "tt-two", count: 2) {}
        for workers in [one, two] { workers.submit { _ in gate.wait() } }
        let (busy, free) = (ask(one.heartbeat("one")), ask(two.heartbeat("two")))
        try await eventually("the free thread answers") { free.isRaised }
        // True as soon as no work was dequeued since the previous check.
        try await eventually("a thread that waits for another is not excused") { !one.heartbeat("one").isExcused() }
        #expect(!busy.isRaised)
        gate.open()
        try await eventually("the busy thread answers once it is free") { busy.isRaised }
    }

    @Test func `a queue that makes progress is excused`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let workers = WorkerThreads<Void>(name: "tt-long", count: 1) {}
        let begun = Mutex(0)
        for _ in 0..<3 {
            workers.submit { _ in
                begun.withLock { $0 += 1 }
                gate.wait()
            }
        }
        let answer = ask(workers.heartbeat("long"))
        for count in 1...3 {
            try await eventually("the next has begun") { begun.withLock(\.self) == count }
            #expect(workers.heartbeat("long").isExcused() && !answer.isRaised)
            try await eventually("it has not moved since") { !workers.heartbeat("long").isExcused() }
            gate.signal()
        }
        try await eventually("it answers") { answer.isRaised }
    }

    @Test func `a queue blocked in disk calls is excused`() async throws {
        let gate = Gate()
        let hung = [OnceFlag(), OnceFlag()]
        let workers = WorkerThreads<Void>(name: "tt-stuck", count: 2) {}
        let heartbeat = workers.heartbeat("stuck")
        for flag in hung {
            workers.submit { _ in
                CallRecord.marking {
                    // A nested call does not end the outer one.
                    CallRecord.marking {}
                    flag.raise()
                    gate.wait()
                }
            }
        }
        let answer = ask(heartbeat)
        try await eventually("both threads hang") { hung.allSatisfy(\.isRaised) }
        // Not only the first check after work was dequeued.
        for _ in 0..<2 { #expect(heartbeat.isExcused() && !answer.isRaised) }
        gate.open()
        try await eventually("it answers") { answer.isRaised }
        try await eventually("it is excused no more") { !heartbeat.isExcused() }
    }

    @Test func `a thread that computes outside of a call is not excused`() async throws {
        let end = OnceFlag()
        let workers = WorkerThreads<Void>(name: "tt-busy", count: 1) {}
        workers.submit { _ in
            CallRecord.marking {}
            while !end.isRaised {}
        }
        let heartbeat = workers.heartbeat("busy")
        let answer = ask(heartbeat)
        // True as soon as no work was dequeued since the previous check.
        try await eventually("it is not excused") { !heartbeat.isExcused() }
        #expect(!answer.isRaised)
        end.raise()
        try await eventually("it answers") { answer.isRaised }
    }
}
