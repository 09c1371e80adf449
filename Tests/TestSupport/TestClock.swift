// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Foundation
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// Clock that advances only while this process is idle, and then at once to the next deadline.
///
/// A test of minutes takes only the time of its work and does not depend on the speed of the machine: everything
/// runnable runs before the clock advances. A thread that sleeps for another reason, in a lock or a call, is taken to
/// wait for this clock. The whole process shares one time, because idleness is a state of all its threads.
package struct TestClock: MonotonicClock {
    private let slept: @Sendable () -> Duration

    /// Creates the clock of a machine that was suspended for `slept()`.
    package init(slept: @escaping @Sendable () -> Duration = { .zero }) { self.slept = slept }

    package var now: MonotonicTime { TestTime.shared.now }
    /// Wall clock of the machine at the first use of this clock, advanced by this clock.
    package var wall: Timestamp { TestTime.shared.wall }
    package var minimumResolution: Duration { .nanoseconds(1) }
    package func suspended() -> Duration { slept() }
    package func timer() -> any ThreadTimer { TestTimer() }

    /// Suspends until the process is idle at the present moment, when all work that is due is complete.
    package func settle() async {
        await withCheckedContinuation { TestTime.shared.settle($0) }
    }

    /// Returns true once `isSo` holds, and false after `limit` of this clock.
    ///
    /// `isSo` is evaluated once for each moment with an event, when the process is idle. So a condition that holds at
    /// only one moment is seen, and one that time alone makes true is seen at the next event.
    package func reaches(
        within limit: Duration = .seconds(10),
        _ isSo: () async throws -> Bool
    ) async rethrows -> Bool {
        let end = now + limit
        let alarm = setAlarm(end) {}
        defer { cancelAlarm(alarm) }
        await settle()
        while try await !isSo() {
            guard now < end, !Task.isCancelled else { return false }
            await withCheckedContinuation { TestTime.shared.settle($0, isNext: true) }
        }
        return true
    }

    /// Suspends for `duration` and until the process is idle.
    package func sleep(for duration: Duration) async throws {
        try await sleep(until: now + duration)
        await settle()
    }

    package func sleep(until deadline: MonotonicTime) async throws { try await sleep(until: deadline, tolerance: nil) }

    package func setAlarm(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        TestTime.shared.set(moment, ring)
    }

    package func cancelAlarm(_ id: UInt64) { TestTime.shared.cancel(id) }
}

/// Time of all ``TestClock``s of this process, with its waiters.
private final class TestTime: Sendable {
    /// Far from the machine's time, to expose comparisons of the two clocks.
    private static let start = MonotonicTime(nanoseconds: MonotonicTime.now().nanoseconds / 2)
    private static let wallAtStart = Timestamp.now()

    private struct State {
        var now = start
        /// Tasks that wait for an idle process, in order, with the earliest value of `moments` to resume at.
        var settlers: [(task: CheckedContinuation<Void, Never>, after: Int)] = []
        /// Counts the moments at which an alarm rang.
        var moments = 0
        var alarms = AlarmTable()
        var isRunning = false
    }

    static let shared = TestTime()
    private let state = Mutex(State())

    /// Advances by a microsecond at each read, so that no two reads are equal.
    var now: MonotonicTime {
        state.withLock { state in
            state.now = state.now + .microseconds(1)
            return state.now
        }
    }

    var wall: Timestamp { Self.wallAtStart + (now - Self.start) }

    func set(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        defer { run() }
        return state.withLock { $0.alarms.add(moment, ring) }
    }

    func cancel(_ id: UInt64) { state.withLock { $0.alarms.remove(id) } }

    /// Resumes `task` once the process is idle at this moment or, if `isNext`, at the next.
    func settle(_ task: CheckedContinuation<Void, Never>, isNext: Bool = false) {
        state.withLock { $0.settlers.append((task, $0.moments + (isNext ? 1 : 0))) }
        run()
    }

    /// Starts the thread that advances the time.
    private func run() {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        do { try NamedThread.start(name: "test-time") { self.pass() } } catch { preconditionFailure("\(error)") }
    }

    private func pass() {
        var threads = OtherThreads()
        // Growing pause while the process is busy, to leave it the processor.
        var pause: UInt32 = 0
        while true {
            guard state.withLock({ !$0.alarms.isEmpty || !$0.settlers.isEmpty }), threads.areAsleep() else {
                pause = min(pause + 10, 500)
                usleep(pause)
                continue
            }
            pause = 0
            let (due, settled) = state.withLock {
                state -> ([@Sendable () -> Void], CheckedContinuation<Void, Never>?) in
                let next = state.alarms.next
                // One at a time: the work of the first is complete before the second resumes.
                if next.map({ $0 > state.now }) ?? true,
                    let first = state.settlers.firstIndex(where: { $0.after <= state.moments })
                {
                    return ([], state.settlers.remove(at: first).task)
                }
                guard let next else { return ([], nil) }
                state.now = max(state.now, next)
                state.moments += 1
                // Alarms of one moment only: their effects may have to precede the next moment, however near.
                return (state.alarms.removeDue(by: next), nil)
            }
            settled?.resume()
            for ring in due { ring() }
        }
    }
}

/// Timer on the test time of this process, signalled by an eventfd(2).
private final class TestTimer: ThreadTimer, Sendable {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    /// Set by the thread of the timer, read by its alarm.
    private let setting = Mutex(Setting())

    private struct Setting {
        var alarm: UInt64?
        /// Number of calls to set or stop.
        var generation = 0
    }

    deinit {
        stop()
        close(descriptor)
    }

    func set(_ moment: MonotonicTime, every interval: Duration) {
        stop()
        setting.withLock { add(moment, interval, to: &$0) }
    }

    private func add(_ moment: MonotonicTime, _ interval: Duration, to setting: inout Setting) {
        setting.alarm = TestTime.shared.set(moment) { [weak self, generation = setting.generation] in
            self?.ring(moment, interval, of: generation)
        }
    }

    func stop() {
        setting.withLock { setting in
            if let alarm = setting.alarm.take() { TestTime.shared.cancel(alarm) }
            setting.generation += 1
        }
        _ = expirations()
    }

    func expirations() -> UInt64 {
        var count: UInt64 = 0
        return unsafe eventfd_read(descriptor, &count) == 0 ? count : 0
    }

    private func ring(_ moment: MonotonicTime, _ interval: Duration, of generation: Int) {
        setting.withLock { setting in
            guard setting.generation == generation else { return }
            eventfd_write(descriptor, 1)
            setting.alarm = nil
            if interval > .zero { add(moment + interval, interval, to: &setting) }
        }
    }
}

/// Activity of the other threads of this process.
@safe private struct OtherThreads {
    private let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    private let tasks = unsafe opendir("/proc/self/task")
    /// Open stat files by thread id.
    private var files: [String: CInt] = [:]
    private var switches = 0

    /// Returns true if all threads sleep and none ran during the check.
    ///
    /// A thread woken after its own check was woken by another thread. That one is found running, or has gone to sleep
    /// since, which counts as a context switch.
    mutating func areAsleep() -> Bool {
        let before = Self.switches
        defer { switches = before }
        // Common case of a busy process, without a check of each thread.
        guard before == switches, let tasks = unsafe tasks else { return false }
        // The listing may lack a thread if another exits meanwhile. The link count of the folder is the number of
        // threads plus two.
        var status = stat()
        guard unsafe fstat(dirfd(tasks), &status) == 0 else { return false }
        var unseen = Int(status.st_nlink)
        unsafe rewinddir(tasks)
        while let entry = unsafe readdir(tasks) {
            unseen -= 1
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.first != ".", !own.hasSuffix("/\(name)"), !isAsleep(name) { return false }
        }
        return unseen == 0 && Self.switches == before
    }

    /// Reads the state from proc_pid_stat(5); false for a thread that has exited.
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

    /// Number of context switches of the other threads (getrusage(2)).
    private static var switches: Int {
        while true {
            let own = switches(of: 1)  // RUSAGE_THREAD
            let others = switches(of: RUSAGE_SELF.rawValue) - own
            // A switch of this thread in between would hide, or pass for, one of another.
            if switches(of: 1) == own { return others }
        }
    }

    private static func switches(of who: CInt) -> Int {
        var usage = rusage()
        _ = unsafe getrusage(who, &usage)
        return usage.ru_nvcsw + usage.ru_nivcsw
    }
}
