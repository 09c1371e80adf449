// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

/// Contract of `MonotonicClock`, for the system clock and the test clock.
struct ClockTests {
    /// True if poll(2) reports it readable without waiting.
    private func isReadable(_ timer: any ThreadTimer) -> Bool {
        var waiting = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, 0) == 1
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `a sleep ends no earlier than its deadline`(_ clock: any MonotonicClock) async throws {
        let start = clock.now
        try await clock.sleep(until: start + .milliseconds(30), tolerance: nil)
        #expect(clock.now >= start + .milliseconds(30))
        try await clock.sleep(until: start, tolerance: nil)
    }

    @Test func `a sleep ends in a process without descriptors`() async {
        // In its own process, whose limit is lowered.
        await #expect(processExitsWith: .success) {
            let clock: any MonotonicClock = .system
            try await ResourceLimits.withoutDescriptors {
                try await clock.sleep(until: clock.now + .milliseconds(30), tolerance: nil)
            }
        }
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `cancelling a task ends its sleep`(_ clock: any MonotonicClock) async {
        let task = Task { try await clock.sleep(until: clock.now + .seconds(1 << 30), tolerance: nil) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `a timer counts its expirations until it is stopped`(_ clock: any MonotonicClock) async throws {
        let timer = try clock.timer()
        let start = clock.now
        timer.set(start + .milliseconds(20), every: .milliseconds(20))
        // Reading resets the counter.
        let early = timer.expirations()
        #expect(early == 0 || clock.now > start + .milliseconds(20))
        try await clock.sleep(until: start + .milliseconds(110), tolerance: nil)
        // A timer may fire after a sleep with a later deadline ends.
        try await eventually("a moment of the timer") { isReadable(timer) }
        let count = early + timer.expirations()
        let passed = (clock.now - start) / .milliseconds(20)
        #expect((5...UInt64(passed)).contains(count))
        timer.stop()
        try await clock.sleep(until: clock.now + .milliseconds(50), tolerance: nil)
        #expect(!isReadable(timer) && timer.expirations() == 0)
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `a timer set in the past expires once`(_ clock: any MonotonicClock) async throws {
        let timer = try clock.timer()
        timer.set(clock.now - .seconds(1), every: .zero)
        try await eventually("the moment that has passed") { isReadable(timer) }
        #expect(timer.expirations() == 1)
    }

    @Test(arguments: [.system, TestClock()] as [any MonotonicClock])
    func `wall time keeps the distance of monotonic time`(_ clock: any MonotonicClock) {
        let before = clock.wall
        let earlier = clock.wall(at: clock.now - .seconds(3600)) + .seconds(3600)
        let after = clock.wall
        #expect(before <= after)
        // The clocks are read one after the other, and the wall clock may be slewed.
        let tolerance = after - before + .milliseconds(10)
        #expect((before - tolerance...after + .milliseconds(10)).contains(earlier))
    }

    @Test func `test time jumps from deadline to deadline in order`() async throws {
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

    @Test func `settle waits for the work due at the current test time`() async throws {
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

    @Test func `test time does not advance during computation`() async throws {
        let clock = TestClock()
        let sleeper = Task { try await clock.sleep(until: clock.now + .seconds(1)) }
        let (start, real) = (clock.now, MonotonicTime.now())
        while MonotonicTime.now() - real < .milliseconds(50) {}
        // Each reading by a parallel test advances it by a microsecond.
        #expect(clock.now - start < .milliseconds(500))
        try await sleeper.value
    }
}
