// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

/// The promises that the machine's clock and the tests' keep both.
struct ClockTests {
    /// Whether poll(2) finds it readable without waiting.
    private func isReadable(_ timer: any ThreadTimer) -> Bool {
        var waiting = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, 0) == 1
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `a sleep ends at its moment and not before`(_ clock: any MonotonicClock) async throws {
        let start = clock.now
        try await clock.sleep(until: start + .milliseconds(30), tolerance: nil)
        #expect(clock.now >= start + .milliseconds(30))
        try await clock.sleep(until: start, tolerance: nil)
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `a task that is cancelled sleeps no longer`(_ clock: any MonotonicClock) async {
        let task = Task { try await clock.sleep(until: clock.now + .seconds(1 << 30), tolerance: nil) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `a timer counts its moments, and none once it is stopped`(_ clock: any MonotonicClock) async throws {
        let timer = clock.timer()
        let start = clock.now
        timer.set(start + .milliseconds(20), every: .milliseconds(20))
        // What is read here is not counted again below.
        let early = timer.expirations()
        #expect(early == 0 || clock.now > start + .milliseconds(20))
        try await clock.sleep(until: start + .milliseconds(110), tolerance: nil)
        // A timer may ring later than a sleep ends that ends later.
        try await eventually("a moment of the timer") { isReadable(timer) }
        let count = early + timer.expirations()
        let passed = (clock.now - start) / .milliseconds(20)
        #expect((5...UInt64(passed)).contains(count))
        timer.stop()
        try await clock.sleep(until: clock.now + .milliseconds(50), tolerance: nil)
        #expect(!isReadable(timer) && timer.expirations() == 0)
        timer.set(clock.now - .seconds(1), every: .zero)
        try await eventually("the moment that has passed") { isReadable(timer) }
        #expect(timer.expirations() == 1)
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `a moment lies as far before the present by the wall clock as by this one`(_ clock: any MonotonicClock) {
        let before = clock.wall
        let earlier = clock.wall(at: clock.now - .seconds(3600)) + .seconds(3600)
        let after = clock.wall
        #expect(before <= after)
        // One is read after the other, and the wall clock may be made to go a little faster or slower.
        let tolerance = after - before + .milliseconds(10)
        #expect((before - tolerance...after + .milliseconds(10)).contains(earlier))
    }

    @Test func `the time of tests goes from moment to moment, in order, without waiting`() async throws {
        let clock = TestClock()
        let start = clock.now
        let woken = try await withThrowingTaskGroup(of: Int.self) { group in
            for day in [3, 1, 2] {
                group.addTask {
                    try await clock.sleep(until: start + .seconds(86_400 * day))
                    return day
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(woken == [1, 2, 3])
    }

    @Test func `a test that has slept finds all done that was due by then`() async throws {
        let clock = TestClock()
        for _ in 0..<20 {
            let reply = Reply<Int>(clock: clock)
            let due = clock.now + .milliseconds(10)
            Task {
                try await clock.sleep(until: due)
                for _ in 0..<1000 { await Task.yield() }
                reply.resolve(.success(1))
            }
            try await clock.sleep(until: due)
            await clock.settle()
            #expect(!reply.isAwaited)
        }
    }

    @Test func `the time of tests stands still while something is done`() async throws {
        let clock = TestClock()
        let sleeper = Task { try await clock.sleep(until: clock.now + .seconds(1)) }
        let (start, real) = (clock.now, MonotonicTime.now())
        while MonotonicTime.now() - real < .milliseconds(50) {}
        // Each look at it by tests beside this one is a microsecond.
        #expect(clock.now - start < .milliseconds(500))
        try await sleeper.value
    }
}
