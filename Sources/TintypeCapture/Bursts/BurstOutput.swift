// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Takes bursts of stills from one camera and passes each still on as soon as it is rendered.
package struct BurstOutput: Sendable {
    /// Stores a still before the given deadline and returns its record; called concurrently.
    package typealias Storing = @Sendable (Still, MonotonicTime) async throws(Problem) -> StillRecord
    /// Receives each stored still, one call at a time; must not block.
    package typealias Telling = @Sendable (StillRecord) -> Void

    enum Step {
        case still(Still, until: MonotonicTime)
        case missed(Problem)
        case end
    }

    let session: CaptureSession
    /// Maximum number of stills of one camera stored at once; they share the cost of a sync.
    package static let mostStoredAtOnce = 8
    /// Longest interval between stills for which the camera stays open, whatever its warmth.
    private static let longestPause = Duration.seconds(10)

    package init(session: CaptureSession) { self.session = session }

    /// Takes the stills of `request.burst`, or one still without a burst, in the order of their capture.
    ///
    /// `telling` gets each still of a burst once this one and all before it are stored or missed. The first still is
    /// stored before any other; then up to ``mostStoredAtOnce`` are stored while at most ``Subscriber/depth`` frames
    /// queue. A burst of consecutive frames ends at the first failure, which is listed in `missed`; in a burst with an
    /// interval each still has a deadline of its own, and the burst continues after a missed one. Holds one place until
    /// it ends. Throws `too-many-requests` if none is free, the problem of the first still, and `stopping` if the task
    /// is cancelled; stills stored by then remain.
    package func take(
        _ request: StillRequest,
        telling: @escaping Telling = { _ in },
        storing: @escaping Storing
    ) async throws(Problem) -> StillList {
        let requestedAt = session.clock.now
        guard let burst = request.burst else {
            let still = try await StillOutput(session: session).take(request)
            return StillList(stills: [try await storing(still, requestedAt + request.deadline)])
        }
        let place = try session.dispatcher.limiter.enter()
        defer { withExtendedLifetime(place) {} }
        let source: any StillSource
        var (endsAtFailure, staysOpen) = (true, false)
        switch (burst, request.fresh) {
        case (.span(let from, let to, let nth), _) where from < .zero:
            let (start, end) = (requestedAt + from, requestedAt + to)
            source = try RingStills(session, request, requestedAt, from: start, to: end, nth: nth)
        case (.count(let count, .zero), .at(let offset)):
            source = try RingStills(session, request, requestedAt, from: requestedAt + offset, count: count)
        case (.count(_, .zero), _) where request.average == 1, (.span, _):
            source = ConsecutiveStills(session, request, requestedAt, in: place)
        case (.count(let count, let every), _):
            source = TimedStills(
                output: StillOutput(session: session),
                request: request,
                count: count,
                every: every,
                start: requestedAt,
                place: place,
                stops: session.stopCount
            )
            (endsAtFailure, staysOpen) = (every == .zero, every <= Self.longestPause)
        }
        if staysOpen { session.dispatcher.beginWatch() }
        defer { if staysOpen { session.dispatcher.endWatch(isGone: Task.isCancelled) } }
        return try await collect(source, endsAtFailure: endsAtFailure, telling, storing)
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
                do throws(Problem) {
                    switch try await source.next() {
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
                        // Take no further stills until the first one is stored.
                        guard number == 0 || atWork == Self.mostStoredAtOnce else { continue }
                        await group.next()
                        atWork -= 1
                    case .missed(let problem):
                        guard let number = outcomes.begin() else { return }
                        outcomes.record(.failure(problem), of: number)
                    case .end: outcomes.end(nil)
                    }
                } catch {
                    outcomes.end(error)
                }
            }
        }
        return try outcomes.list(isGivenUp: Task.isCancelled)
    }

    /// Stores every `nth` frame of the ring exposed from `start`, or its oldest frame, to `end`, which must not be in
    /// the future.
    ///
    /// If it ends early, `missed` of the list has the problem, which is thrown if no still was taken; also throws
    /// without a ring.
    package func takePast(
        _ request: StillRequest,
        from start: MonotonicTime,
        to end: MonotonicTime,
        nth: Int,
        storing: @escaping Storing
    ) async throws(Problem) -> StillList {
        let place = try session.dispatcher.limiter.enter()
        defer { withExtendedLifetime(place) {} }
        let now = session.clock.now
        let source = try RingStills(session, request, now, from: start, to: end, nth: nth, mayStartLater: true)
        return try await collect(source, endsAtFailure: false, { _ in }, storing)
    }

    /// End of a burst; throws if its last frames, `lost` of them, are missing.
    static func end(lost: Int) throws(Problem) -> Step {
        guard lost > 0 else { return .end }
        throw Problem(
            .deadlineExceeded,
            "The last frames, \(lost) of them, are missing: encoding or storing those before them could not keep up.",
            remedy: "Ask for fewer frames (nth), for smaller pictures, or for a lower durability."
        )
    }
}

protocol StillSource {
    /// Throws the problem that ends the burst early.
    mutating func next() async throws(Problem) -> BurstOutput.Step
    func close()
}

/// Outcomes of the stills of a burst in capture order; any thread.
final class BurstOutcomes: Sendable {
    private struct State {
        /// Nil while the still is being stored.
        var outcomes: [Result<StillRecord, Problem>?] = []
        var told = 0
        var goesOn = true
    }

    private let endsAtFailure: Bool
    private let told: @Sendable (StillRecord) -> Void
    private let state = Mutex(State())

    /// `endsAtFailure` ends the burst at any failed still, not only the first; `told` must not block.
    init(endsAtFailure: Bool, told: @escaping @Sendable (StillRecord) -> Void = { _ in }) {
        (self.endsAtFailure, self.told) = (endsAtFailure, told)
    }

    var goesOn: Bool { state.withLock(\.goesOn) }

    /// Reserves the index of the next still; nil if the burst has ended.
    func begin() -> Int? {
        state.withLock { state in
            guard state.goesOn else { return nil }
            state.outcomes.append(nil)
            return state.outcomes.count - 1
        }
    }

    func record(_ outcome: Result<StillRecord, Problem>, of number: Int) {
        state.withLock { state in
            state.outcomes[number] = outcome
            if case .failure = outcome, endsAtFailure || number == 0 { state.goesOn = false }
            // Called under the lock to keep the order.
            while state.told < state.outcomes.count, let outcome = state.outcomes[state.told] {
                if case .success(let still) = outcome { told(still) }
                state.told += 1
            }
        }
    }

    /// Ends the burst; records `problem` as a further missed still unless the burst has ended already.
    func end(_ problem: Problem?) {
        state.withLock { state in
            if let problem, state.goesOn { state.outcomes.append(.failure(problem)) }
            state.goesOn = false
        }
    }

    /// Once no still is being stored; throws the problem of the first still, or of the last missed one if `isGivenUp`.
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
