// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeSystem

struct CameraThreadTests {
    /// A camera reduced to a descriptor to poll and a deadline.
    private final class Camera: ThreadOwned {
        var descriptor: CInt = -1
        var awaited = Int16(POLLIN | POLLPRI)
        var deadline: MonotonicTime?
        let turns: Recorder<String>
        /// That of the last turn for a deadline.
        var asleep: MonotonicTime?

        init(_ turns: Recorder<String>) { self.turns = turns }

        func turn(_ events: Int16, asleepSince asleep: MonotonicTime) {
            if events != 0 {
                var (count, urgent) = (eventfd_t(0), UInt8(0))
                if CInt(events) & POLLIN != 0 { unsafe eventfd_read(descriptor, &count) }
                if CInt(events) & POLLPRI != 0 { unsafe recv(descriptor, &urgent, 1, CInt(MSG_OOB)) }
                turns.add("ready \(events)")
            } else if let deadline, TestClock().now >= deadline {
                (self.deadline, self.asleep) = (nil, asleep)
                turns.add("deadline")
            } else {
                turns.add("woken")
            }
        }
    }

    /// Returns a thread and the recorder of its camera's turns.
    private static func start() throws -> (thread: CameraThread<Camera>, turns: Recorder<String>) {
        let turns = Recorder<String>()
        let thread = CameraThread(name: "tt-camera", clock: TestClock()) { Camera(turns) }
        try thread.start()
        return (thread, turns)
    }

    @Test func `runs work on the camera thread in order`() async throws {
        let thread = try Self.start().thread
        defer { thread.stop() }
        let order = Recorder<Int>()
        for number in 0..<5 { _ = await thread.run { _ in order.add(number) } }
        #expect(order.values == [0, 1, 2, 3, 4])
        #expect(await thread.run { _ in NamedThread.isCurrent } == true)
        #expect(!NamedThread.isCurrent)
    }

    @Test func `a thread refused a descriptor runs nothing, and starts once there is one`() async {
        // In its own process, whose limit is lowered.
        await #expect(processExitsWith: .success) {
            let thread = CameraThread(name: "tt-camera") { Camera(Recorder<String>()) }
            try await ResourceLimits.withoutDescriptors {
                let error = #expect(throws: ResourceError.self) { try thread.start() }
                #expect(error?.code == EMFILE)
                #expect(await thread.run { _ in 1 } == nil)
            }
            try thread.start()
            #expect(await thread.run { _ in 1 } == 1)
        }
    }

    @Test func `a stopped thread finishes its work and accepts no more`() async throws {
        let (thread, turns, gate) = (try Self.start().thread, Recorder<String>(), Gate())
        async let before: Void? = thread.run { _ in
            turns.add("begins")
            _ = gate.wait()
            turns.add("ends")
        }
        try await eventually("the start of the work") { turns.values == ["begins"] }
        thread.stop()
        #expect(await thread.run { _ in turns.add("after") } == nil)
        gate.open()
        #expect(await before != nil)
        #expect(turns.values == ["begins", "ends"])
    }

    @Test func `a thread polling for events only ignores waiting frames`() async throws {
        let (thread, turns) = try Self.start()
        defer { thread.stop() }
        var pair: [CInt] = [-1, -1]
        let made = unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair)
        try #require(made == 0)
        let (descriptor, other) = (pair[0], pair[1])
        defer {
            close(descriptor)
            close(other)
        }
        var byte = UInt8(1)
        unsafe send(other, &byte, 1, 0)
        _ = await thread.run { camera in (camera.descriptor, camera.awaited) = (descriptor, Int16(POLLPRI)) }
        // Urgent data are POLLPRI (unix(7)).
        unsafe send(other, &byte, 1, CInt(MSG_OOB))
        try await eventually("a turn for the event") { turns.values.last?.hasPrefix("ready") == true }
        #expect(Set(turns.values).isSubset(of: ["woken", "ready \(POLLPRI)"]))
        _ = await thread.run { camera in camera.descriptor = -1 }
    }

    @Test func `waking gives at least one turn`() async throws {
        let (thread, turns) = try Self.start()
        defer { thread.stop() }
        for _ in 0..<5 { thread.wake() }
        try await eventually("a turn") { !turns.values.isEmpty }
        #expect(turns.values.count <= 5)
        #expect(Set(turns.values) == ["woken"])
    }

    @Test func `a thread woken while running comes to rest`() async throws {
        let (thread, turns) = try Self.start()
        for _ in 0..<50 {
            _ = await thread.run { _ in thread.wake() }
            async let woken: Void = thread.wake()
            _ = await thread.run { _ in }
            await woken
        }
        let (before, rest) = (turns.values.count, OnceFlag())
        // The clock settles once all threads sleep; it never does if this one spins.
        async let rested: Void = {
            await TestClock().settle()
            rest.raise()
        }()
        try await eventually("rest, or a thousand turns") { rest.isRaised || turns.values.count > before + 1000 }
        // Turns for the last work item and the last wake-ups.
        #expect(turns.values.count - before < 10)
        thread.stop()
        await rested
    }

    @Test func `a deadline gives one turn when it is due`() async throws {
        let (thread, turns) = try Self.start()
        defer { thread.stop() }
        let clock = TestClock()
        let moment = clock.now + .milliseconds(60)
        _ = await thread.run { $0.deadline = moment }
        #expect(await clock.reaches { turns.values.contains("deadline") })
        #expect(clock.now >= moment)
        #expect(turns.values.filter { $0 == "deadline" } == ["deadline"])
    }

    @Test func `a thread sleeps on when the alarm of an earlier deadline rings`() async throws {
        let (thread, turns) = try Self.start()
        defer { thread.stop() }
        let clock = TestClock()
        let moment = clock.now + .milliseconds(60)
        _ = await thread.run { $0.deadline = moment }
        await clock.settle()
        _ = await thread.run { $0.deadline = moment + .milliseconds(60) }
        #expect(await clock.reaches { turns.values.contains("deadline") })
        let asleep = await thread.run { $0.asleep } ?? nil
        #expect(try #require(asleep) < moment)
    }

    @Test func `a ready descriptor gives a turn while it is polled`() async throws {
        let descriptor = eventfd(0, CInt(EFD_NONBLOCK))
        defer { close(descriptor) }
        try await Self.expectTurns(of: descriptor, written: descriptor)
    }

    @Test func `polls a descriptor above 1023 (select() with fd >= 1024)`() async throws {
        try Self.allowDescriptors(2048)
        let low = eventfd(0, CInt(EFD_NONBLOCK) | CInt(EFD_CLOEXEC))
        let high = fcntl(low, F_DUPFD_CLOEXEC, 1500)
        defer {
            close(low)
            close(high)
        }
        try #require(high >= 1500)
        try await Self.expectTurns(of: high, written: low)
    }

    private static func expectTurns(of descriptor: CInt, written other: CInt) async throws {
        let (thread, turns) = try Self.start()
        _ = await thread.run { $0.descriptor = descriptor }
        let ready = "ready \(POLLIN)"
        for count in 1...3 {
            eventfd_write(other, 1)
            try await eventually("turn \(count)") { turns.values.filter { $0 == ready }.count == count }
        }
        _ = await thread.run { $0.descriptor = -1 }
        eventfd_write(other, 1)
        _ = await thread.run { _ in }
        thread.stop()
        #expect(turns.values.filter { $0 == ready }.count == 3)
    }

    /// Raises the limit of open files of this process to at least `count`.
    private static func allowDescriptors(_ count: UInt) throws {
        var limit = rlimit()
        try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        guard limit.rlim_cur < count else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(limit.rlim_cur >= count, "the hard limit of open files is \(limit.rlim_max)")
    }

    @Test func `racing wake and stop leaves no thread behind`() async throws {
        for _ in 0..<200 {
            weak var ended: CameraThread<Camera>?
            do {
                let thread = try Self.start().thread
                ended = thread
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { thread.wake() }
                    group.addTask { thread.stop() }
                }
            }
            // Only the thread itself retains the object now.
            try await eventually("the end of the thread") { ended == nil }
        }
    }

    @Test func `the watchdog excuses the thread only in a driver call`() async throws {
        let (thread, calls) = (try Self.start().thread, DriverCalls())
        let heartbeat = thread.heartbeat("the camera", calls)
        func ask() -> OnceFlag {
            let answer = OnceFlag()
            heartbeat.ask { answer.raise() }
            return answer
        }
        let first = ask()
        try await eventually("the thread answers") { first.isRaised }
        for isCall in [false, true] {
            let (gate, began) = (Gate(), OnceFlag())
            async let work: Void? = thread.run { _ in
                began.raise()
                if isCall { calls.during(.dequeue) { _ = gate.wait() } } else { gate.wait() }
            }
            try await eventually("it has begun") { began.isRaised }
            let answer = ask()
            if isCall { try await eventually("it is excused") { heartbeat.isExcused() } }
            #expect(heartbeat.isExcused() == isCall && !answer.isRaised)
            gate.open()
            _ = await work
            try await eventually("it answers again") { answer.isRaised }
            #expect(!heartbeat.isExcused())
        }
        // A stopped thread answers at once.
        thread.stop()
        let last = ask()
        try await eventually("one that was stopped is no trouble") { last.isRaised }
    }
}
