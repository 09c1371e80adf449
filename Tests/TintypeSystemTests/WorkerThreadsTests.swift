// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

struct WorkerThreadsTests {
    private let overdue = Problem(.deadlineExceeded, "Too late.", remedy: "Wait.")

    @Test func `one thread runs its work in order`() async throws {
        let seen = Recorder<Int>()
        let workers = WorkerThreads<Int>(name: "tt-test", count: 1) { 0 }
        for number in 0..<1000 { workers.submit { _ in seen.add(number) } }
        let count = try await workers.perform(until: soon, otherwise: overdue) { _ in seen.values.count }
        #expect(count == 1000)
        #expect(seen.values == Array(0..<1000))
    }

    @Test func `a thread keeps its local value between jobs`() async throws {
        let workers = WorkerThreads<Int>(name: "tt-test", count: 1) { 7 }
        workers.submit { local in local += 1 }
        #expect(try await workers.perform(until: soon, otherwise: overdue) { local in local } == 8)
    }

    @Test func `two threads run in parallel`() async throws {
        let workers = WorkerThreads<Int>(name: "tt-test", count: 2) { 0 }
        let (first, second) = (Gate(), Gate())
        // Each waits for the other: a single thread would deadlock.
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

    @Test func `work without a thread is refused, and runs once the limit of threads is lifted`() async {
        await #expect(processExitsWith: .success) {
            let overdue = Problem(.deadlineExceeded, "Too late.", remedy: "Wait.")
            let submitted = Recorder<Int>()
            var workers: WorkerThreads<Int>?
            try await ResourceLimits.withoutThreads {
                let refused = WorkerThreads<Int>(name: "tt-test", count: 1) { 7 }
                refused.submit { local in submitted.add(local) }
                let problem = await #expect(throws: Problem.self) {
                    try await refused.perform(until: soon, otherwise: overdue) { local in local }
                }
                #expect(problem?.code == .tooManyRequests)
                // A restart would not lift the limit.
                #expect(refused.heartbeat("the workers").isExcused())
                workers = refused
            }
            #expect(try await workers?.perform(until: soon, otherwise: overdue) { local in local } == 7)
            #expect(submitted.values == [7])
        }
    }

    @Test func `each of two callers is refused while the system refuses the threads of both`() async {
        // In its own process, as for all limits.
        await #expect(processExitsWith: .success) {
            // Two threads made before, since the cooperative pool may get no second one.
            let executor = TestExecutor()
            try await executor.start()
            try await ResourceLimits.withoutThreads {
                let refused = WorkerThreads<Int>(name: "tt-test", count: 2) { 0 }
                await withTaskGroup { group in
                    for _ in 0..<2 {
                        group.addTask(executorPreference: executor) {
                            let overdue = Problem(.deadlineExceeded, "Too late.", remedy: "Wait.")
                            for _ in 0..<5000 {
                                do throws(Problem) {
                                    try await refused.perform(until: soon, otherwise: overdue) { _ in }
                                    Issue.record("There is no thread that could run it.")
                                } catch {
                                    #expect(error.code == .tooManyRequests)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Runs tasks on two threads of its own.
    private final class TestExecutor: TaskExecutor {
        private let threads = WorkerThreads<Void>(name: "tt-tasks", count: 2) {}

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            threads.submit { [self] _ in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        }

        /// Returns once both threads run.
        func start() async throws {
            let overdue = Problem(.deadlineExceeded, "Too late.", remedy: "Wait.")
            let gates = [Gate(), Gate()]
            try await withThrowingTaskGroup { group in
                for index in gates.indices {
                    group.addTask {
                        _ = try await self.threads.perform(until: soon, otherwise: overdue) { _ in
                            gates[1 - index].open()
                            return gates[index].wait()
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `worker threads are named threads`() async throws {
        let workers = WorkerThreads<Int>(name: "tt-named", count: 1) { 0 }
        let (name, mayBlock) = try await workers.perform(until: soon, otherwise: overdue) { _ in
            (Threads.currentName, NamedThread.isCurrent)
        }
        #expect(name == "tt-named")
        #expect(mayBlock)
    }

    @Test func `releasing the queue ends its threads after their work`() async throws {
        let seen = Recorder<Int>()
        do {
            let workers = WorkerThreads<Witness>(name: "tt-release", count: 3) { Witness(seen) }
            for _ in 0..<20 { workers.submit { _ in seen.add(0) } }
        }
        try await seen.wait(forCount: 23)
        #expect(seen.values.filter { $0 == 0 }.count == 20)
        #expect(seen.values.filter { $0 == -1 }.count == 3)
    }

    /// Records the end of its thread.
    private struct Witness: ~Copyable {
        let seen: Recorder<Int>
        init(_ seen: Recorder<Int>) { self.seen = seen }
        deinit { seen.add(-1) }
    }

    /// Object retained by a job, such as a picture.
    private final class Held: Sendable {}

    @Test func `a deadline drops queued work but not running work`() async throws {
        let workers = WorkerThreads<Int>(name: "tt-test", count: 1) { 0 }
        let (gate, seen, clock) = (Gate(), Recorder<Int>(), TestClock())
        // The clock advances once the work waits for the gate.
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
        // Expired work releases its captures before a thread dequeues it.
        #expect(rest == nil)
        #expect(seen.values.isEmpty)
        gate.open()
        try await workers.perform(until: soon, otherwise: overdue) { _ in seen.add(3) }
        #expect(seen.values == [1, 3])
    }

    @Test func `cancelling its task ends perform`() async throws {
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

    @Test func `perform throws the error of its work`() async {
        let workers = WorkerThreads<Int>(name: "tt-test", count: 1) { 0 }
        let problem = Problem(.spoolFull, "Full.", remedy: "Delete.")
        await #expect(throws: problem) {
            try await workers.perform(until: soon, otherwise: overdue) { _ throws(Problem) -> Int in throw problem }
        }
    }
}
