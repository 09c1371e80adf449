// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeThreads

struct DeviceThreadTests {
    /// What a thread was woken by.
    private final class Wakes: Sendable {
        private let list = Mutex<[String]>([])
        var all: [String] { list.withLock { $0 } }
        func add(_ wake: DeviceThread.Wake) {
            list.withLock { list in
                switch wake {
                case .ready(let events): list.append("ready \(events)")
                case .deadline: list.append("deadline")
                case .woken: list.append("woken")
                }
            }
        }
    }

    @Test func `jobs of an actor run on its thread, which may block`() async {
        #expect(await DeviceStage.perform { NamedThread.isCurrent })
        #expect(!NamedThread.isCurrent)
    }

    @Test func `a ring wakes, once or more`() async {
        let (thread, wakes) = (DeviceThread(name: "tt-ring"), Wakes())
        defer { thread.stop() }
        thread.setHandler { wakes.add($0) }
        for _ in 0..<5 { thread.wake() }
        #expect(await Waiting.eventually { !wakes.all.isEmpty })
        #expect(wakes.all.count <= 5)
        #expect(Set(wakes.all) == ["woken"])
    }

    @Test func `a deadline wakes once, not before its time`() async {
        let (thread, wakes) = (DeviceThread(name: "tt-deadline"), Wakes())
        defer { thread.stop() }
        let start = MonotonicTime.now()
        let woken = Mutex<MonotonicTime?>(nil)
        thread.setHandler { wake in
            if case .deadline = wake { woken.withLock { $0 = .now() } }
            wakes.add(wake)
        }
        thread.setDeadline(start + .milliseconds(60))
        thread.wake()
        #expect(await Waiting.eventually { wakes.all.contains("deadline") })
        #expect(woken.withLock { $0.map { $0 - start >= .milliseconds(60) } } == true)
        thread.wake()
        #expect(await Waiting.eventually { wakes.all.count == 3 })
        #expect(wakes.all == ["woken", "deadline", "woken"])
    }

    @Test func `a descriptor that is ready wakes, until it is not watched any more`() async {
        let (thread, wakes) = (DeviceThread(name: "tt-ready"), Wakes())
        let descriptor = eventfd(0, CInt(EFD_NONBLOCK))
        defer {
            thread.stop()
            close(descriptor)
        }
        thread.setHandler { wake in
            if case .ready = wake {
                var count: eventfd_t = 0
                unsafe eventfd_read(descriptor, &count)
            }
            wakes.add(wake)
        }
        thread.watch(descriptor)
        thread.wake()
        #expect(await Waiting.eventually { wakes.all == ["woken"] })
        eventfd_write(descriptor, 1)
        #expect(await Waiting.eventually { wakes.all == ["woken", "ready \(POLLIN)"] })
        thread.watch(-1)
        thread.wake()
        #expect(await Waiting.eventually { wakes.all.count == 3 })
        eventfd_write(descriptor, 1)
        thread.wake()
        #expect(await Waiting.eventually { wakes.all.count == 4 })
        #expect(wakes.all.last == "woken")
    }

    @Test func `a descriptor above 1023 wakes like any other (select() with fd >= 1024)`() async throws {
        try Self.allowDescriptors(2048)
        let (thread, wakes) = (DeviceThread(name: "tt-high"), Wakes())
        let low = eventfd(0, CInt(EFD_NONBLOCK) | CInt(EFD_CLOEXEC))
        let high = fcntl(low, F_DUPFD_CLOEXEC, 1500)
        defer {
            thread.stop()
            close(low)
            close(high)
        }
        try #require(high >= 1500)
        thread.setHandler { wake in
            if case .ready = wake {
                var count: eventfd_t = 0
                unsafe eventfd_read(high, &count)
            }
            wakes.add(wake)
        }
        thread.watch(high)
        thread.wake()
        #expect(await Waiting.eventually { wakes.all == ["woken"] })
        for count in 2...4 {
            eventfd_write(low, 1)
            #expect(await Waiting.eventually { wakes.all.count == count })
            #expect(wakes.all.last == "ready \(POLLIN)")
        }
    }

    /// Raises the limit of open files of this process to `count`, where it is lower.
    private static func allowDescriptors(_ count: UInt) throws {
        var limit = rlimit()
        try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        guard limit.rlim_cur < count else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(limit.rlim_cur >= count, "the hard limit of open files is \(limit.rlim_max)")
    }

    @Test(.timeLimit(.minutes(1)))
    func `two hundred races of ring and stop leave no thread and lose no ring`() async {
        for _ in 0..<200 {
            let wakes = Wakes()
            weak var ended: DeviceThread?
            do {
                let thread = DeviceThread(name: "tt-race")
                ended = thread
                thread.setHandler { wakes.add($0) }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { thread.wake() }
                    group.addTask { thread.stop() }
                }
            }
            // Nobody but the thread itself holds it now: it goes when the thread ends.
            guard await Waiting.eventually({ ended == nil }) else {
                Issue.record("the thread did not end")
                return
            }
        }
    }
}
