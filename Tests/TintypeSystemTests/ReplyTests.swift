// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

struct ReplyTests {
    private let refusal = Problem(.internalError, "It failed.", remedy: "Try again.")

    @Test func `only the first answer is accepted`() async throws {
        let reply = Reply<Int>(clock: .system)
        #expect(reply.isAwaited)
        #expect(reply.resolve(.success(1)))
        #expect(!reply.resolve(.success(2)))
        #expect(!reply.resolve(.failure(refusal)))
        #expect(!reply.isAwaited)
        #expect(try await reply.value(until: soon, otherwise: refusal) == 1)
    }

    @Test func `an answer from another thread ends the wait`() async throws {
        let reply = Reply<String>(clock: .system)
        try NamedThread.start(name: "tt-answer") { reply.resolve(.success("here")) }
        #expect(try await reply.value(until: soon, otherwise: refusal) == "here")
    }

    @Test func `waiting for a value throws the failure`() async throws {
        let reply = Reply<Int>(clock: .system)
        try NamedThread.start(name: "tt-answer") { reply.resolve(.failure(refusal)) }
        await #expect(throws: refusal) { try await reply.value(until: soon, otherwise: self.other) }
    }

    private var other: Problem { Problem(.deadlineExceeded, "Too late.", remedy: "Wait.") }

    @Test func `a reply stays open after a wait times out`() async throws {
        let clock = TestClock()
        let reply = Reply<Int>(clock: clock)
        let start = clock.now
        #expect(await reply.wait(until: start + .milliseconds(20)) == nil)
        #expect(clock.now - start >= .milliseconds(20))
        #expect(reply.isAwaited)
        try NamedThread.start(name: "tt-answer") { reply.resolve(.success(3)) }
        #expect(try await reply.wait(until: soon)?.get() == 3)
    }

    @Test func `waiting for a value closes the reply at the deadline`() async {
        let clock = TestClock()
        let reply = Reply<Int>(clock: clock)
        await #expect(throws: other) { try await reply.value(until: clock.now + .milliseconds(5), otherwise: other) }
        #expect(!reply.isAwaited)
        #expect(!reply.resolve(.success(1)))
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `each of five hundred waits ends at its deadline`(_ clock: any MonotonicClock) async {
        await withTaskGroup(of: Bool.self) { group in
            for round in 0..<500 {
                group.addTask {
                    await Reply<Int>(clock: clock).wait(until: clock.now + .microseconds(round % 50)) == nil
                }
            }
            for await hasExpired in group { #expect(hasExpired) }
        }
    }

    @Test func `a race of answer and cancellation yields one of the two`() async throws {
        for round in 0..<200 {
            let reply = Reply<Int>(clock: .system)
            let waiting = Task { await reply.wait(until: soon) }
            if round % 2 == 0 { await Task.yield() }
            try NamedThread.start(name: "tt-race") { reply.resolve(.success(round)) }
            waiting.cancel()
            switch await waiting.value {
            case .success(let value): #expect(value == round)
            case .failure(let problem): #expect(problem.code == .stopping)
            case nil: Issue.record("the wait ended without an answer")
            }
        }
    }

    @Test func `cancellation resolves the reply as stopping`() async {
        let reply = Reply<Int>(clock: .system)
        let waiting = Task { await reply.wait(until: soon) }
        waiting.cancel()
        guard case .failure(let problem) = await waiting.value else {
            Issue.record("a cancelled wait was answered")
            return
        }
        #expect(problem.code == .stopping)
        #expect(!reply.isAwaited)
    }
}
