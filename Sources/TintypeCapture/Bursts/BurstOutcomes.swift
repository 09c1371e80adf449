// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

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
