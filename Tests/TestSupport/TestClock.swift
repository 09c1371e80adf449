// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Foundation
internal import Synchronization
package import TintypeModel
package import TintypeSystem

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
    /// The machine's when the process first asked for the time of this clock, and as much later as this clock is.
    package var wall: Timestamp { TestTime.shared.wall }
    package var minimumResolution: Duration { .nanoseconds(1) }
    package func suspended() -> Duration { slept() }
    package func timer() -> any ThreadTimer { TestTimer() }

    /// Suspends until nothing is left to do at this moment.
    ///
    /// So a test sees what has come of all that is due by now, and not a half of it.
    package func settle() async {
        await withCheckedContinuation { TestTime.shared.settle($0) }
    }

    /// Whether `isSo` holds within `limit` of this clock.
    ///
    /// It is looked at once for each moment at which anything happens, when nothing is left to do then: what holds at one
    /// moment only is seen as well, what the time alone makes true only when something happens.
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

    /// Suspends for `duration`, and until nothing is left to do then.
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

/// The time of this process's ``TestClock``s, and who waits for it to pass.
private final class TestTime: Sendable {
    /// Far from the machine's time, so that a moment of one clock that is held against the other shows.
    private static let start = MonotonicTime(nanoseconds: MonotonicTime.now().nanoseconds / 2)
    private static let wallAtStart = Timestamp.now()

    private struct State {
        var now = start
        /// Tasks that wait until nothing is left to do at a moment, in order, and after how many moments at the earliest.
        var settlers: [(task: CheckedContinuation<Void, Never>, after: Int)] = []
        /// Counts the moments at which an alarm rang.
        var moments = 0
        var alarms = AlarmTable()
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

    var wall: Timestamp { Self.wallAtStart + (now - Self.start) }

    func set(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        defer { run() }
        return state.withLock { $0.alarms.add(moment, ring) }
    }

    func cancel(_ id: UInt64) { state.withLock { $0.alarms.remove(id) } }

    /// Resumes `task` once nothing is left to do at this moment or, where `isNext`, at the next.
    func settle(_ task: CheckedContinuation<Void, Never>, isNext: Bool = false) {
        state.withLock { $0.settlers.append((task, $0.moments + (isNext ? 1 : 0))) }
        run()
    }

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
            guard state.withLock({ !$0.alarms.isEmpty || !$0.settlers.isEmpty }), threads.areAsleep() else {
                pause = min(pause + 10, 500)
                usleep(pause)
                continue
            }
            pause = 0
            let (due, settled) = state.withLock {
                state -> ([@Sendable () -> Void], CheckedContinuation<Void, Never>?) in
                let next = state.alarms.next
                // One after the other: what the first does has to be done for the second.
                if next.map({ $0 > state.now }) ?? true,
                    let first = state.settlers.firstIndex(where: { $0.after <= state.moments })
                {
                    return ([], state.settlers.remove(at: first).task)
                }
                guard let next else { return ([], nil) }
                state.now = max(state.now, next)
                state.moments += 1
                // Those of one moment only: what comes of it may have to be before the next, however near.
                return (state.alarms.take(until: next), nil)
            }
            settled?.resume()
            for ring in due { ring() }
        }
    }
}

/// A timer by the process's test time: an eventfd(2).
private final class TestTimer: ThreadTimer, Sendable {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    /// Set by its thread, and read where it rings.
    private let setting = Mutex(Setting())

    private struct Setting {
        var alarm: UInt64?
        /// Counts how often it was set or stopped.
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
        // The list may lack a thread where another exits meanwhile. The folder has as many links as names: one for each
        // thread, and two.
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
        while true {
            let own = switches(of: 1)  // RUSAGE_THREAD
            let others = switches(of: RUSAGE_SELF.rawValue) - own
            // Otherwise this thread's own switch in between would hide, or pass for, one of another.
            if switches(of: 1) == own { return others }
        }
    }

    private static func switches(of who: CInt) -> Int {
        var usage = rusage()
        _ = unsafe getrusage(who, &usage)
        return usage.ru_nvcsw + usage.ru_nivcsw
    }
}
