// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A clock that a test moves: who sleeps on it wakes when it is moved far enough.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        var id: Int
        var end: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var nextID = 0
    }

    private let state = Mutex(State())
    private let feed = AsyncStream.makeStream(of: Duration.self)

    /// The moments, counted from the start, that are slept for, in the order of the calls; for one task.
    var sleeps: AsyncStream<Duration> { feed.stream }

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }

    func sleep(until end: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.contains(id) { return .failure(CancellationError()) }
                    if end <= state.now { return .success(()) }
                    state.sleepers.append(Sleeper(id: id, end: end, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
                feed.continuation.yield(end.offset)
            }
        } onCancel: {
            let sleeper: Sleeper? = state.withLock { state in
                state.cancelled.insert(id)
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Ends ``sleeps``.
    func endSleeps() { feed.continuation.finish() }

    /// Moves the clock to `offset` from the start.
    func move(to offset: Duration) {
        let woken = state.withLock { state in
            state.now = Instant(offset: offset)
            let woken = state.sleepers.filter { $0.end <= state.now }
            state.sleepers.removeAll { $0.end <= state.now }
            return woken
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
