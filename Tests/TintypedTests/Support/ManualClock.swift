// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeModel
import TintypeSystem

/// Clock that a test moves; a sleep ends once the clock is moved to its deadline.
final class ManualClock: MonotonicClock {
    private struct State {
        var offset = Duration.zero
        var wall: Timestamp
        var suspended = Duration.zero
        var alarms = AlarmTable()
    }

    static let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private let state: Mutex<State>
    private let feed = AsyncStream.makeStream(of: Duration.self)

    /// Creates a clock at its start, with `wall` on the wall clock.
    init(at wall: Timestamp = Timestamp(microseconds: 0)) { state = Mutex(State(wall: wall)) }

    /// Deadlines of alarms, as offsets from the start, in call order; for one task only.
    var sleeps: AsyncStream<Duration> { feed.stream }
    var offset: Duration { state.withLock(\.offset) }
    var now: MonotonicTime { Self.start + offset }
    var wall: Timestamp { state.withLock { $0.wall + $0.offset } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func suspended() -> Duration { state.withLock(\.suspended) }
    func timer() throws(ResourceError) -> any ThreadTimer { try SystemClock.system.timer() }
    func cancelAlarm(_ id: UInt64) { state.withLock { $0.alarms.remove(id) } }

    func setAlarm(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        defer { feed.continuation.yield(moment - Self.start) }
        return state.withLock { $0.alarms.add(moment, ring) }
    }

    func endSleeps() { feed.continuation.finish() }

    /// Sets the wall clock forward by `amount`.
    func set(by amount: Duration) { state.withLock { $0.wall = $0.wall + amount } }

    /// Simulates a suspend, in which only the wall clock advances.
    func suspend(for duration: Duration) {
        state.withLock { state in
            state.suspended += duration
            state.wall = state.wall + duration
        }
    }

    func move(to offset: Duration) {
        let due = state.withLock { state in
            state.offset = offset
            return state.alarms.removeDue(by: Self.start + offset)
        }
        for ring in due { ring() }
    }
}
