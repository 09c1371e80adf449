// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
internal import TintypeThreads

/// Where a session's frames meet the clients that want them, and where it publishes its state.
///
/// The lock around a ``DemandTable`` and around what is published. Any thread; never blocks.
package final class FrameHub: Sendable {
    /// Whom the frames of a stream are for.
    enum StreamKind: Sendable {
        /// For all but clients that want the largest size.
        case usual
        /// For clients that want the largest size, and for no others.
        case largest
        /// For everybody: the usual size is the largest.
        case both
    }

    struct State {
        var table = DemandTable()
        var snapshot = SessionSnapshot()
        var warmth = WarmthReport()
        /// Examinations and timed bursts that go on: an open camera stays open for them.
        var watches = 0
        /// Bursts of the ring that go on: the stream is not interrupted meanwhile.
        var bursts = 0
        /// When the last frame came before the interruption for the largest size that goes on.
        var gapBegan: MonotonicTime?
        /// Interruptions for the largest size, by the stream that ran in them.
        var gaps = GapTable()
        /// When the state that is published began.
        var stateSince = MonotonicTime.now()
        /// Who is told of its changes.
        var watchers: [UInt64: AsyncStream<StateChange>.Continuation] = [:]
        var nextWatcher: UInt64 = 0
        /// Whether the session has ended, so that its state changes no more.
        var hasEnded = false
        /// How often the camera was stopped by command, and what was told the last time.
        var stops: (count: Int, problem: Problem?) = (0, nil)
    }

    let state = Mutex(State())
    /// The places for waiting clients here.
    let room: WaitingRoom
    /// How long the machine has been suspended since it booted.
    let asleep: @Sendable () -> Duration
    /// A suspend is longer than this; what is shorter comes from reading two clocks.
    static let nap = Duration.milliseconds(500)
    /// A moment before every other: the camera was not used yet.
    static let never = MonotonicTime(nanoseconds: .min / 2)

    /// A hub without clients.
    package init(
        room: WaitingRoom = WaitingRoom(),
        asleep: @escaping @Sendable () -> Duration = MonotonicTime.suspended
    ) {
        self.room = room
        self.asleep = asleep
    }

    /// Changes the table, and wakes the clients for which there is something then.
    @discardableResult
    func change<R: Sendable>(_ body: (inout State) -> R) -> R {
        let (result, woken) = state.withLock { state in
            let result = body(&state)
            return (result, state.table.takeWoken())
        }
        for waiter in woken { waiter.resolve(.success(true)) }
        return result
    }

    // MARK: - What is published

    /// What the session last published.
    package var snapshot: SessionSnapshot { state.withLock { $0.snapshot } }

    /// Changes what is published.
    package func update(_ change: (inout SessionSnapshot) -> Void) {
        state.withLock { state in
            change(&state.snapshot)
            state.table.stallLimit = state.snapshot.stallLimit
        }
    }

    /// Counts something that happened outside the session.
    package func count(_ change: (inout CameraCounters) -> Void) {
        state.withLock { change(&$0.snapshot.counters) }
    }

    /// What the session last published of its warmth.
    var warmth: WarmthReport { state.withLock { $0.warmth } }

    /// Changes what is published of the warmth.
    func updateWarmth(_ change: (inout WarmthReport) -> Void) { state.withLock { change(&$0.warmth) } }
}
