// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel

/// Takes bursts of stills of one camera, and hands over each still before there are many more of them.
package struct BurstOutput: Sendable {
    /// Stores a still, until a moment at the latest, and returns its record.
    package typealias Storing = @Sendable (Still, MonotonicTime) async throws(Problem) -> StillRecord

    /// What a burst comes to next.
    enum Step {
        /// A still, and until when it is to be stored.
        case still(Still, until: MonotonicTime)
        /// There is no such still; the burst goes on.
        case missed(Problem)
        /// That was all; or why there is no more.
        case end(Problem?)
    }

    private let session: CaptureSession
    /// Between two stills that are no further apart a camera stays open, whatever its warmth.
    private static let longestPause = Duration.seconds(10)

    /// The bursts of `session`'s camera.
    package init(session: CaptureSession) { self.session = session }

    /// Takes the stills of `request.burst`, or one where there is none, in the order of their capture.
    ///
    /// One still is stored after the other while the next frames come; at most ``FrameFeed/room`` wait for that, and
    /// what comes beyond is passed over, and counted in the record of the still after it.
    ///
    /// - A burst of consecutive frames ends where the camera fails, where no frame comes within the deadline, and where
    ///   a still cannot be stored: what there is so far is returned, and the first that is missing is among the missed.
    /// - In a burst with a time between its stills each has its own moment, at or after which it is exposed, and its
    ///   deadline from there on. One that fails is among the missed, and the burst goes on.
    ///
    /// Holds one place among those who wait from its begin to its end, also while no still is due.
    ///
    /// Suspends, never blocks. Throws `too-many-requests` at once where there is no place, where the very first still
    /// fails, where the camera is stopped before it, and a problem with code `stopping` when the task is cancelled; what
    /// was stored by then stays.
    package func take(_ request: StillRequest, storing: Storing) async throws(Problem) -> StillList {
        let requestedAt = MonotonicTime.now()
        switch request.burst {
        case nil:
            let still = try await StillOutput(session: session).take(request)
            return StillList(stills: [try await storing(still, requestedAt + request.deadline)])
        case .span(let from, _, _) where from < .zero:
            let source = try RingStills(session, request, requestedAt)
            return try await collect(source, endsAtFailure: true, storing)
        case .count(_, .zero) where request.fresh.isPast:
            let source = try RingStills(session, request, requestedAt)
            return try await collect(source, endsAtFailure: true, storing)
        case .count(_, .zero) where request.average == 1, .span:
            let source = try ConsecutiveStills(session, request, requestedAt)
            return try await collect(source, endsAtFailure: true, storing)
        case .count(let count, let every):
            let source = try TimedStills(session, request, count: count, every: every, from: requestedAt)
            let isClose = every <= Self.longestPause
            if isClose { session.hub.beginWatch() }
            defer {
                if isClose { session.hub.endWatch(isGone: Task.isCancelled) }
                session.thread.ring()
            }
            return try await collect(source, endsAtFailure: every == .zero, storing)
        }
    }

    private func collect(
        _ source: some StillSource,
        endsAtFailure: Bool,
        _ storing: Storing
    ) async throws(Problem) -> StillList {
        var source = source
        var list = StillList(stills: [])
        var missed: [MissedStill] = []
        // Returns whether the burst goes on.
        func miss(_ problem: Problem) throws(Problem) -> Bool {
            guard !Task.isCancelled, !list.stills.isEmpty else { throw problem }
            missed.append(MissedStill(index: list.stills.count + missed.count, problem))
            return !endsAtFailure
        }
        defer { source.close() }
        var goesOn = true
        while goesOn {
            switch await source.next() {
            case .still(let still, let deadline):
                do throws(Problem) {
                    list.stills.append(try await storing(still, deadline))
                } catch {
                    goesOn = try miss(error)
                }
            case .missed(let problem): goesOn = try miss(problem)
            case .end(nil): goesOn = false
            case .end(.some(let problem)):
                _ = try miss(problem)
                goesOn = false
            }
        }
        if !missed.isEmpty { list.missed = missed }
        return list
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
