// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
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
/// Most alarms are cancelled long before they are due. The timer is re-armed only for an earlier one, so a deadline
/// that is met costs no system call.
final class SystemAlarms: Sendable {
    private struct State {
        var table = AlarmTable()
        /// The timer is armed for it.
        var armed: MonotonicTime?
        /// Of the running thread; nil before the first alarm.
        var timer: SystemTimer?
    }

    static let shared = SystemAlarms()
    private let state = Mutex(State())

    private init() {}

    func add(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            // If the system refuses timer or thread, the next alarm tries again.
            if state.timer == nil { try? start(&state) }
            if state.armed.map({ moment < $0 }) ?? true { arm(&state, moment) }
            return state.table.add(moment, ring)
        }
    }

    func remove(_ id: UInt64) { state.withLock { $0.table.remove(id) } }

    private func start(_ state: inout State) throws(ResourceError) {
        let timer = try SystemTimer()
        try NamedThread.start(name: "tt-alarms") { self.run(timer) }
        state.timer = timer
        arm(&state, state.table.next)
    }

    private func arm(_ state: inout State, _ moment: MonotonicTime?) {
        state.armed = moment
        if let moment { state.timer?.set(moment, every: .zero) }
    }

    private func run(_ timer: SystemTimer) {
        while true {
            timer.wait()
            let due = state.withLock { state in
                _ = timer.expirations()
                let due = state.table.removeDue(by: .now())
                arm(&state, state.table.next)
                return due
            }
            for ring in due { ring() }
        }
    }
}
