// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

struct WorkerThreadsTests {
    private let overdue = Problem(.deadlineExceeded, "Too late.", remedy: "Wait.")

    @Test func `one thread does its work in order`() async throws {
        let seen = Recorder<Int>()
        let workers = WorkerThreads<Int>(name: "tt-test", count: 1) { 0 }
        for number in 0..<1000 { workers.submit { _ in seen.add(number) } }
        let count = try await workers.perform(until: soon, otherwise: overdue) { _ in seen.values.count }
        #expect(count == 1000)
        #expect(seen.values == Array(0..<1000))
    }

    @Test func `each thread keeps its own local from one piece of work to the next`() async throws {
        let workers = WorkerThreads<Int>(name: "tt-test", count: 1) { 7 }
        workers.submit { local in local += 1 }
        #expect(try await workers.perform(until: soon, otherwise: overdue) { local in local } == 8)
    }

    @Test func `two threads work at the same time`() async throws {
        let workers = WorkerThreads<Int>(name: "tt-test", count: 2) { 0 }
        let (first, second) = (Gate(), Gate())
        // Each waits for the other: one thread alone would never end.
        async let left = workers.perform(until: soon, otherwise: overdue) { _ in
            first.open()
            return second.wait()
        }
        async let right = workers.perform(until: soon, otherwise: overdue) { _ in
            second.open()
            return first.wait()
        }
        #expect(try await left)
        #expect(try await right)
    }

    @Test func `the threads carry the name and may block`() async throws {
        let workers = WorkerThreads<Int>(name: "tt-named", count: 1) { 0 }
        let (name, mayBlock) = try await workers.perform(until: soon, otherwise: overdue) { _ in
            (Threads.currentName, NamedThread.isCurrent)
        }
        #expect(name == "tt-named")
        #expect(mayBlock)
    }

    @Test func `the threads end when the queue is released, its work done`() async throws {
        let seen = Recorder<Int>()
        do {
            let workers = WorkerThreads<Witness>(name: "tt-release", count: 3) { Witness(seen) }
            for _ in 0..<20 { workers.submit { _ in seen.add(0) } }
        }
        try await seen.wait(forCount: 23)
        #expect(seen.values.filter { $0 == 0 }.count == 20)
        #expect(seen.values.filter { $0 == -1 }.count == 3)
    }

    /// Says when its thread ends.
    private struct Witness: ~Copyable {
        let seen: Recorder<Int>
        init(_ seen: Recorder<Int>) { self.seen = seen }
        deinit { seen.add(-1) }
    }

    /// What a piece of work holds, such as a picture.
    private final class Held: Sendable {}

    @Test func `perform gives up at its deadline while the work goes on, and skips work not begun`() async throws {
        let workers = WorkerThreads<Int>(name: "tt-test", count: 1) { 0 }
        let (gate, seen, clock) = (Gate(), Recorder<Int>(), TestClock())
        // The clock goes on once the work has begun and waits for the gate.
        await #expect(throws: overdue) {
            try await workers.perform(until: clock.now + .seconds(1), by: clock, otherwise: self.overdue) { _ in
                gate.wait()
                seen.add(1)
            }
        }
        var held: Held? = Held()
        weak let rest = held
        await #expect(throws: overdue) {
            try await workers.perform(until: clock.now + .seconds(1), by: clock, otherwise: self.overdue) { [held] _ in
                withExtendedLifetime(held) { seen.add(2) }
            }
        }
        held = nil
        // A thread that never comes to it keeps nothing of it.
        #expect(rest == nil)
        #expect(seen.values.isEmpty)
        gate.open()
        try await workers.perform(until: soon, otherwise: overdue) { _ in seen.add(3) }
        #expect(seen.values == [1, 3])
    }

    @Test func `perform ends at once when its task is cancelled`() async throws {
        let workers = WorkerThreads<Int>(name: "tt-test", count: 1) { 0 }
        let (begun, gate) = (Recorder<Bool>(), Gate())
        let task = Task {
            try await workers.perform(until: soon, otherwise: self.overdue) { _ in
                begun.add(true)
                return gate.wait()
            }
        }
        try await begun.wait(forCount: 1)
        task.cancel()
        let error = await #expect(throws: Problem.self) { try await task.value }
        #expect(error?.code == .stopping)
        gate.open()
    }

    @Test func `what the work throws is thrown by perform`() async {
        let workers = WorkerThreads<Int>(name: "tt-test", count: 1) { 0 }
        let problem = Problem(.spoolFull, "Full.", remedy: "Delete.")
        await #expect(throws: problem) {
            try await workers.perform(until: soon, otherwise: overdue) { _ throws(Problem) -> Int in throw problem }
        }
    }
}
