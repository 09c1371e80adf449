// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeThreads

@Suite(.timeLimit(.minutes(1)))
struct HeartbeatTests {
    /// Asks, and returns what is raised by the answer.
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

    @Test func `a queue answers in its turn, and one of its threads is enough`() async throws {
        let gate = Gate()
        let (one, two) = (
            WorkerThreads<Void>(name: "tt-one", count: 1) {}, WorkerThreads<Void>(name: "tt-two", count: 2) {}
        )
        for workers in [one, two] { workers.submit { _ in gate.wait() } }
        let (busy, free) = (ask(one.heartbeat("one")), ask(two.heartbeat("two")))
        try await eventually("the free thread answers") { free.isRaised }
        #expect(!busy.isRaised && !one.heartbeat("one").isExcused())
        gate.open()
        try await eventually("the busy thread answers once it is free") { busy.isRaised }
    }

    @Test func `a queue whose threads are where no signal reaches them is excused for as long`() async throws {
        let fifo = NSTemporaryDirectory() + "tintype-fifo-\(UUID().uuidString)"
        defer { _ = unsafe unlink(fifo) }
        let made = unsafe mkfifo(fifo, 0o600)
        #expect(made == 0)
        let workers = WorkerThreads<Void>(name: "tt-stuck", count: 1) {}
        let heartbeat = workers.heartbeat("stuck")
        // The parent of vfork(2) waits in state D until its child, which opens the fifo first, runs its program.
        workers.submit { _ in
            var actions = unsafe posix_spawn_file_actions_t()
            unsafe posix_spawn_file_actions_init(&actions)
            unsafe posix_spawn_file_actions_addopen(&actions, 0, fifo, O_RDONLY, 0)
            var process = pid_t()
            var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("true"), nil]
            let status = unsafe posix_spawn(&process, "/bin/true", &actions, nil, &arguments, nil)
            if status == 0 { waitpid(process, nil, 0) }
        }
        let answer = ask(heartbeat)
        try await eventually("the thread is where no signal reaches it") { heartbeat.isExcused() }
        #expect(!answer.isRaised)
        let writer = unsafe open(fifo, O_WRONLY)
        defer { close(writer) }
        try await eventually("it answers") { answer.isRaised }
        #expect(!heartbeat.isExcused())
    }
}
