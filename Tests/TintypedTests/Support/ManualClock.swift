// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeModel
import TintypeSystem

/// A clock that a test moves: who waits for a moment of it wakes when it is moved far enough.
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

    /// A clock at its start, when the wall clock shows `wall`.
    init(at wall: Timestamp = Timestamp(microseconds: 0)) { state = Mutex(State(wall: wall)) }

    /// The moments, counted from the start, that are waited for, in the order of the calls; for one task.
    var sleeps: AsyncStream<Duration> { feed.stream }
    /// How far it was moved from its start.
    var offset: Duration { state.withLock(\.offset) }
    var now: MonotonicTime { Self.start + offset }
    var wall: Timestamp { state.withLock { $0.wall + $0.offset } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func suspended() -> Duration { state.withLock(\.suspended) }
    func timer() -> any ThreadTimer { SystemClock.system.timer() }
    func cancelAlarm(_ id: UInt64) { state.withLock { $0.alarms.remove(id) } }

    func setAlarm(_ moment: MonotonicTime, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
        defer { feed.continuation.yield(moment - Self.start) }
        return state.withLock { $0.alarms.add(moment, ring) }
    }

    /// Ends ``sleeps``.
    func endSleeps() { feed.continuation.finish() }

    /// Sets the wall clock.
    func set(by amount: Duration) { state.withLock { $0.wall = $0.wall + amount } }

    /// Lets the machine have been suspended, in which time the wall clock goes on alone.
    func suspend(for duration: Duration) {
        state.withLock { state in
            state.suspended += duration
            state.wall = state.wall + duration
        }
    }

    /// Moves the clock to `offset` from the start.
    func move(to offset: Duration) {
        let due = state.withLock { state in
            state.offset = offset
            return state.alarms.take(until: Self.start + offset)
        }
        for ring in due { ring() }
    }
}
