// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Takes bursts of stills of one camera, and hands over each still before there are many more of them.
package struct BurstOutput: Sendable {
    /// Stores a still, until a moment at the latest, and returns its record; called for several at once.
    package typealias Storing = @Sendable (Still, MonotonicTime) async throws(Problem) -> StillRecord
    /// Takes note of a still that is stored; called for one at a time, must not block.
    package typealias Telling = @Sendable (StillRecord) -> Void

    /// What a burst comes to next.
    enum Step {
        /// A still, and until when it is to be stored.
        case still(Still, until: MonotonicTime)
        /// There is no such still; the burst goes on.
        case missed(Problem)
        /// That was all; or why there is no more.
        case end(Problem?)
    }

    let session: CaptureSession
    /// The most stills of one camera that are being stored at a time: those that wait for the disk share what it costs to
    /// reach it.
    package static let mostStoredAtOnce = 8
    /// Between two stills that are no further apart a camera stays open, whatever its warmth.
    private static let longestPause = Duration.seconds(10)

    /// The bursts of `session`'s camera.
    package init(session: CaptureSession) { self.session = session }

    /// Takes the stills of `request.burst`, or one where there is none, in the order of their capture.
    ///
    /// Each still of a burst is told once it and all before it are stored or missing.
    ///
    /// The first still is stored before any other is; then up to ``mostStoredAtOnce`` are being stored while the next
    /// frames come. At most ``Demand/room`` wait for that, and what comes beyond is passed over, and counted in the
    /// record of the still after it.
    ///
    /// - A burst of consecutive frames ends where the camera fails, where no frame comes within the deadline, and where
    ///   a still cannot be stored: what there is so far is returned, also of those that were being stored by then, and
    ///   the first that is missing is among the missed.
    /// - In a burst with a time between its stills each has its own moment, at or after which it is exposed, and its
    ///   deadline from there on. One that fails is among the missed, and the burst goes on.
    ///
    /// Holds one place among waiting clients from its begin to its end, also while no still is due.
    ///
    /// Suspends, never blocks. Throws `too-many-requests` at once where there is no place, where the very first still
    /// fails, where the camera is stopped before it, and a problem with code `stopping` when the task is cancelled; what
    /// was stored by then stays.
    package func take(
        _ request: StillRequest,
        telling: @escaping Telling = { _ in },
        storing: @escaping Storing
    ) async throws(Problem) -> StillList {
        let requestedAt = session.clock.now
        switch request.burst {
        case nil:
            let still = try await StillOutput(session: session).take(request)
            return StillList(stills: [try await storing(still, requestedAt + request.deadline)])
        case .span(let from, _, _) where from < .zero:
            let source = try RingStills(session, request, requestedAt)
            return try await collect(source, endsAtFailure: true, telling, storing)
        case .count(_, .zero) where request.fresh.isPast:
            let source = try RingStills(session, request, requestedAt)
            return try await collect(source, endsAtFailure: true, telling, storing)
        case .count(_, .zero) where request.average == 1, .span:
            let source = try ConsecutiveStills(session, request, requestedAt)
            return try await collect(source, endsAtFailure: true, telling, storing)
        case .count(let count, let every):
            let source = try TimedStills(session, request, count: count, every: every, from: requestedAt)
            let isClose = every <= Self.longestPause
            if isClose { session.hub.beginWatch() }
            defer { if isClose { session.hub.endWatch(isGone: Task.isCancelled) } }
            return try await collect(source, endsAtFailure: every == .zero, telling, storing)
        }
    }

    func collect(
        _ source: some StillSource,
        endsAtFailure: Bool,
        _ telling: @escaping Telling,
        _ storing: @escaping Storing
    ) async throws(Problem) -> StillList {
        var source = source
        defer { source.close() }
        let outcomes = BurstOutcomes(endsAtFailure: endsAtFailure, told: telling)
        await withTaskGroup(of: Void.self) { group in
            var atWork = 0
            while outcomes.goesOn {
                switch await source.next() {
                case .still(let still, let deadline):
                    guard let number = outcomes.begin() else { return }
                    group.addTask {
                        do throws(Problem) {
                            outcomes.record(.success(try await storing(still, deadline)), of: number)
                        } catch {
                            outcomes.record(.failure(error), of: number)
                        }
                    }
                    atWork += 1
                    // No more pictures are taken where not even the first can be stored.
                    guard number == 0 || atWork == Self.mostStoredAtOnce else { continue }
                    await group.next()
                    atWork -= 1
                case .missed(let problem):
                    guard let number = outcomes.begin() else { return }
                    outcomes.record(.failure(problem), of: number)
                case .end(let problem): outcomes.end(problem)
                }
            }
        }
        return try outcomes.list(isGivenUp: Task.isCancelled)
    }
}

/// Where the stills of a burst come from, one after the other.
protocol StillSource {
    /// The next one, waited for.
    mutating func next() async -> BurstOutput.Step
    /// No more of them are wanted.
    func close()
}

extension Freshness {
    /// Whether it is a moment of the past.
    fileprivate var isPast: Bool { if case .at = self { true } else { false } }
}

/// What has become of the stills of a burst, in the order in which they were to be taken; any thread.
final class BurstOutcomes: Sendable {
    private struct State {
        /// Nil while one is being stored.
        var outcomes: [Result<StillRecord, Problem>?] = []
        /// How many of them, from the first on, have been told.
        var told = 0
        var goesOn = true
    }

    private let endsAtFailure: Bool
    private let told: @Sendable (StillRecord) -> Void
    private let state = Mutex(State())

    /// Those of a burst that goes on after a still that fails, other than the first, or `endsAtFailure`.
    ///
    /// `told` gets each still in order, once it and all before it are stored or missing; it must not block.
    init(endsAtFailure: Bool, told: @escaping @Sendable (StillRecord) -> Void = { _ in }) {
        self.endsAtFailure = endsAtFailure
        self.told = told
    }

    /// Whether further stills are wanted.
    var goesOn: Bool { state.withLock(\.goesOn) }

    /// Takes account of one more still, and returns its number; nil where no further one is wanted.
    func begin() -> Int? {
        state.withLock { state in
            guard state.goesOn else { return nil }
            state.outcomes.append(nil)
            return state.outcomes.count - 1
        }
    }

    /// Records what has become of the still `number`.
    func record(_ outcome: Result<StillRecord, Problem>, of number: Int) {
        state.withLock { state in
            state.outcomes[number] = outcome
            if case .failure = outcome, endsAtFailure || number == 0 { state.goesOn = false }
            // In the lock, which keeps their order.
            while state.told < state.outcomes.count, let outcome = state.outcomes[state.told] {
                if case .success(let still) = outcome { told(still) }
                state.told += 1
            }
        }
    }

    /// Ends the burst, with the problem if a further still was to come.
    func end(_ problem: Problem?) {
        state.withLock { state in
            if let problem, state.goesOn { state.outcomes.append(.failure(problem)) }
            state.goesOn = false
        }
    }

    /// The stills, and which are missing.
    ///
    /// To be called when none is being stored. Throws the problem of the first where that failed, and of the last that is
    /// missing where `isGivenUp`, since no client reads what there is.
    func list(isGivenUp: Bool) throws(Problem) -> StillList {
        let outcomes = state.withLock(\.outcomes)
        var stills: [StillRecord] = []
        var missed: [MissedStill] = []
        var last: Problem?
        for (number, outcome) in outcomes.enumerated() {
            switch outcome {
            case .success(let still): stills.append(still)
            case .failure(let problem) where number == 0: throw problem
            case .failure(let problem):
                missed.append(MissedStill(index: number, problem))
                last = problem
            case nil: preconditionFailure("the still \(number) of a burst is still being stored")
            }
        }
        if isGivenUp, let last { throw last }
        var list = StillList(stills: stills)
        if !missed.isEmpty { list.missed = missed }
        return list
    }
}

extension BurstOutput {
    /// Takes the frames of the ring that were exposed from `start` to `end`, each `nth`, as far as the ring reaches back,
    /// and hands each to `storing` in the order of their capture.
    ///
    /// `end` is not in the future. Suspends, never blocks. Throws where the camera has no ring, why it gives no frames any
    /// more, and what keeps the first from being stored.
    package func takePast(
        _ request: StillRequest,
        from start: MonotonicTime,
        to end: MonotonicTime,
        nth: Int,
        storing: @escaping Storing
    ) async throws(Problem) {
        guard let source = try RingStills(session, request, from: start, to: end, nth: nth) else { return }
        _ = try await collect(source, endsAtFailure: false, { _ in }, storing)
    }
}
