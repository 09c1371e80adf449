// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Pending alarms of a clock, in a value type without a timer of its own.
package struct AlarmTable: Sendable {
    private struct Alarm {
        let moment: MonotonicTime
        let ring: @Sendable () -> Void
    }

    private var alarms: [UInt64: Alarm] = [:]
    private var newest: UInt64 = 0
    package init() {}

    package mutating func add(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        newest += 1
        alarms[newest] = Alarm(moment: moment, ring: ring)
        return newest
    }

    package mutating func remove(_ id: UInt64) { alarms[id] = nil }
    package var isEmpty: Bool { alarms.isEmpty }
    package var next: MonotonicTime? { alarms.values.lazy.map(\.moment).min() }

    /// Returns their handlers, earliest first.
    package mutating func removeDue(by moment: MonotonicTime) -> [@Sendable () -> Void] {
        let due = alarms.filter { $0.value.moment <= moment }
        for id in due.keys { alarms[id] = nil }
        return due.sorted { ($0.value.moment, $0.key) < ($1.value.moment, $1.key) }.map(\.value.ring)
    }
}

/// Alarms of ``SystemClock`` and the thread that runs their handlers.
///
/// Most alarms are cancelled long before they are due. The thread is woken only for an earlier one, so a deadline that
/// is met costs no system call. It needs no descriptor, so deadlines and retries hold when there is none.
final class SystemAlarms: Sendable {
    private struct State {
        var table = AlarmTable()
        /// Time at which the thread looks at the table by itself; nil for never.
        var next: MonotonicTime?
        var isRunning = false
    }

    static let shared = SystemAlarms()
    private let state = Mutex(State())
    /// Posted when ``State/next`` becomes earlier; kept until the thread runs.
    private let isEarlier = ThreadSemaphore()
    private init() {}

    func add(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            // If the system refuses the thread, the next alarm tries again.
            if !state.isRunning { state.isRunning = (try? NamedThread.start(name: "tt-alarms") { self.run() }) != nil }
            if state.next.map({ moment < $0 }) ?? true {
                state.next = moment
                isEarlier.post()
            }
            return state.table.add(moment, ring)
        }
    }

    func remove(_ id: UInt64) { state.withLock { $0.table.remove(id) } }

    private func run() {
        var next: MonotonicTime?
        while true {
            isEarlier.wait(until: next)
            let due = state.withLock { state in
                let due = state.table.removeDue(by: .now())
                state.next = state.table.next
                next = state.next
                return due
            }
            for ring in due { ring() }
        }
    }
}
