// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Foundation
internal import Synchronization
package import TintypeModel
package import TintypeThreads

/// A clock on which time passes only while nothing is left to do in this process: then it goes on, at once, to the next
/// moment that somebody waits for.
///
/// A test of minutes takes what its work takes, and no machine is so slow that it comes late: whatever is runnable runs
/// before the clock goes on. Whatever sleeps otherwise, in a lock or in a call, is taken to wait for something of this
/// clock. There is one time for the whole process, as it is the process whose threads are looked at.
package struct TestClock: MonotonicClock {
    private let slept: @Sendable () -> Duration

    /// The clock of a machine that has been suspended for as long as `slept` says.
    package init(slept: @escaping @Sendable () -> Duration = { .zero }) { self.slept = slept }

    package var now: MonotonicTime { TestTime.shared.now }
    package var minimumResolution: Duration { .nanoseconds(1) }
    package func suspended() -> Duration { slept() }
    package func timer() -> any ThreadTimer { TestTimer() }

    /// Suspends until nothing is left to do at this moment.
    ///
    /// So a test sees what has come of all that is due by now, and not a half of it.
    package func settle() async {
        await withCheckedContinuation { TestTime.shared.settle($0) }
    }

    /// Suspends for `duration`, and until nothing is left to do then.
    package func sleep(for duration: Duration) async throws {
        try await sleep(until: now + duration)
        await settle()
    }

    package func sleep(until deadline: MonotonicTime, tolerance: Duration? = nil) async throws {
        let id = TestTime.shared.newName()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                TestTime.shared.sleep(id, until: deadline, continuation)
            }
        } onCancel: {
            TestTime.shared.wakeCancelled(id)
        }
    }
}

/// The time of this process's ``TestClock``s, and who waits for it to pass.
private final class TestTime: Sendable {
    enum Waiter {
        case task(CheckedContinuation<Void, any Error>)
        case timer(WeakTimer)
    }

    /// A timer that is let go of while it is set rings no more.
    struct WeakTimer {
        weak var timer: TestTimer?
    }

    private struct State {
        /// Far from the machine's time, so that a moment of one clock that is held against the other shows.
        var now = MonotonicTime(nanoseconds: MonotonicTime.now().nanoseconds / 2)
        /// Tasks that wait until nothing is left to do, in order.
        var settlers: [CheckedContinuation<Void, Never>] = []
        var waiters: [UInt64: (moment: MonotonicTime, waiter: Waiter)] = [:]
        /// Tasks that were cancelled before they slept.
        var cancelled: Set<UInt64> = []
        var names: UInt64 = 0
        var isRunning = false
    }

    static let shared = TestTime()
    private let state = Mutex(State())

    /// Each time it is asked it is a moment later, as on any other clock.
    var now: MonotonicTime {
        state.withLock { state in
            state.now = state.now + .microseconds(1)
            return state.now
        }
    }

    func newName() -> UInt64 {
        state.withLock { state in
            state.names += 1
            return state.names
        }
    }

    func sleep(_ id: UInt64, until moment: MonotonicTime, _ continuation: CheckedContinuation<Void, any Error>) {
        enum Outcome { case sleeps, isDue, isCancelled }
        let outcome = state.withLock { state -> Outcome in
            if state.cancelled.remove(id) != nil { return .isCancelled }
            if moment <= state.now { return .isDue }
            state.waiters[id] = (moment, .task(continuation))
            return .sleeps
        }
        switch outcome {
        case .sleeps: run()
        case .isDue: continuation.resume()
        case .isCancelled: continuation.resume(throwing: CancellationError())
        }
    }

    func settle(_ continuation: CheckedContinuation<Void, Never>) {
        state.withLock { $0.settlers.append(continuation) }
        run()
    }

    func wakeCancelled(_ id: UInt64) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)?.waiter
            if waiter == nil { state.cancelled.insert(id) }
            return waiter
        }
        if case .task(let continuation) = waiter { continuation.resume(throwing: CancellationError()) }
    }

    func set(_ id: UInt64, _ timer: TestTimer, to moment: MonotonicTime) {
        state.withLock { $0.waiters[id] = (moment, .timer(WeakTimer(timer: timer))) }
        run()
    }

    func unset(_ id: UInt64) { state.withLock { _ = $0.waiters.removeValue(forKey: id) } }

    /// Starts the thread that lets time pass.
    private func run() {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { NamedThread.start(name: "test-time") { self.pass() } }
    }

    private func pass() {
        var threads = OtherThreads()
        // Longer and longer while there is much to do, to take no time from it.
        var pause: UInt32 = 0
        while true {
            guard state.withLock({ !$0.waiters.isEmpty || !$0.settlers.isEmpty }), threads.areAsleep() else {
                pause = min(pause + 10, 500)
                usleep(pause)
                continue
            }
            pause = 0
            let (due, settled) = state.withLock { state -> ([Waiter], CheckedContinuation<Void, Never>?) in
                let next = state.waiters.values.map(\.moment).min()
                // One after the other: what the first does has to be done for the second.
                if next.map({ $0 > state.now }) ?? true, !state.settlers.isEmpty {
                    return ([], state.settlers.removeFirst())
                }
                guard let next else { return ([], nil) }
                state.now = max(state.now, next)
                // Those of one moment only: what comes of it may have to be before the next, however near.
                let due = state.waiters.filter { $0.value.moment == next }
                for id in due.keys { state.waiters[id] = nil }
                return (due.values.map(\.waiter), nil)
            }
            settled?.resume()
            for waiter in due {
                switch waiter {
                case .task(let continuation): continuation.resume()
                case .timer(let weak): weak.timer?.ring()
                }
            }
        }
    }
}

/// A timer by the process's test time: an eventfd(2).
private final class TestTimer: ThreadTimer, Sendable {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    private let id = TestTime.shared.newName()
    /// Its next moment, and the time from each to the one after it; set by its thread, and read where it rings.
    private let setting = Mutex((moment: MonotonicTime(nanoseconds: 0), interval: Duration.zero))

    deinit { close(descriptor) }

    func set(_ moment: MonotonicTime, every interval: Duration) {
        _ = expirations()
        setting.withLock { $0 = (moment, interval) }
        TestTime.shared.set(id, self, to: moment)
    }

    func stop() {
        TestTime.shared.unset(id)
        _ = expirations()
    }

    func expirations() -> UInt64 {
        var count: UInt64 = 0
        return unsafe eventfd_read(descriptor, &count) == 0 ? count : 0
    }

    func ring() {
        eventfd_write(descriptor, 1)
        setting.withLock { setting in
            guard setting.interval > .zero else { return }
            setting.moment = setting.moment + setting.interval
            TestTime.shared.set(id, self, to: setting.moment)
        }
    }
}

/// Whether the other threads of this process have something to do.
@safe private struct OtherThreads {
    private let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    private let tasks = unsafe opendir("/proc/self/task")
    /// What to read of each thread, by its number.
    private var files: [String: CInt] = [:]
    private var switches = 0

    /// Whether all sleep, and none has run while they were looked at.
    ///
    /// What wakes a thread after the look at it is another one, which runs when it is looked at itself, or has gone to
    /// sleep since.
    mutating func areAsleep() -> Bool {
        let before = Self.switches
        defer { switches = before }
        // The usual case while there is something to do, without a look at each.
        guard before == switches, let tasks = unsafe tasks else { return false }
        unsafe rewinddir(tasks)
        while let entry = unsafe readdir(tasks) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.first != ".", !own.hasSuffix("/\(name)"), !isAsleep(name) { return false }
        }
        return Self.switches == before
    }

    /// See proc_pid_stat(5); of a thread that has ended meanwhile that is not known.
    private mutating func isAsleep(_ name: String) -> Bool {
        let path = "/proc/self/task/\(name)/stat"
        let file = unsafe files[name] ?? path.withCString { unsafe cv4l2_open($0, O_RDONLY | O_CLOEXEC) }
        var text = [UInt8](repeating: 0, count: 64)
        let count = unsafe pread(file, &text, text.count, 0)
        guard count > 0, let end = text.lastIndex(of: UInt8(ascii: ")")) else {
            close(file)
            files[name] = nil
            return false
        }
        files[name] = file
        return text[end + 2] == UInt8(ascii: "S")
    }

    /// How often they have gone to sleep, or had to let others run; see getrusage(2).
    private static var switches: Int {
        var (all, own) = (rusage(), rusage())
        _ = unsafe getrusage(RUSAGE_SELF.rawValue, &all)
        _ = unsafe getrusage(1, &own)  // RUSAGE_THREAD
        return all.ru_nvcsw + all.ru_nivcsw - own.ru_nvcsw - own.ru_nivcsw
    }
}
