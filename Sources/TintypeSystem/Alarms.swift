// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization
package import TintypeModel

/// What is to be done at moments of a clock: a value, which the clock rings.
package struct AlarmTable: Sendable {
    private struct Alarm {
        let moment: MonotonicTime
        let ring: @Sendable () -> Void
    }

    private var alarms: [UInt64: Alarm] = [:]
    private var newest: UInt64 = 0

    /// A table without alarms.
    package init() {}

    /// Adds one; returns its number, which no other has.
    package mutating func add(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        newest += 1
        alarms[newest] = Alarm(moment: moment, ring: ring)
        return newest
    }

    /// Removes one, if it has not rung yet.
    package mutating func remove(_ id: UInt64) { alarms[id] = nil }

    package var isEmpty: Bool { alarms.isEmpty }

    /// When the next one rings; nil if there is none.
    package var next: MonotonicTime? { alarms.values.lazy.map(\.moment).min() }

    /// Takes out those that ring by `moment`, the first of them first.
    package mutating func take(until moment: MonotonicTime) -> [@Sendable () -> Void] {
        let due = alarms.filter { $0.value.moment <= moment }
        for id in due.keys { alarms[id] = nil }
        return due.sorted { ($0.value.moment, $0.key) < ($1.value.moment, $1.key) }.map(\.value.ring)
    }
}

/// The alarms of the machine's clock, and the thread that rings them.
///
/// Most are cancelled long before they ring, and the timer is set again only for an earlier one, so that a deadline that is
/// met costs no system call.
final class SystemAlarms: Sendable {
    private struct State {
        var table = AlarmTable()
        /// What the timer is set to; nil for nothing.
        var set: MonotonicTime?
    }

    static let shared = SystemAlarms()
    private let state = Mutex(State())
    private let timer = SystemTimer()

    private init() { NamedThread.start(name: "tt-alarms") { self.run() } }

    /// See ``MonotonicClock/setAlarm(_:_:)``.
    func add(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            if state.set.map({ moment < $0 }) ?? true { set(&state, moment) }
            return state.table.add(moment, ring)
        }
    }

    /// See ``MonotonicClock/cancelAlarm(_:)``.
    func remove(_ id: UInt64) { state.withLock { $0.table.remove(id) } }

    private func set(_ state: inout State, _ moment: MonotonicTime?) {
        state.set = moment
        if let moment { timer.set(moment, every: .zero) }
    }

    private func run() {
        while true {
            timer.wait()
            let due = state.withLock { state in
                _ = timer.expirations()
                let due = state.table.take(until: .now())
                set(&state, state.table.next)
                return due
            }
            for ring in due { ring() }
        }
    }
}
