// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeThreads

/// Who uses the camera, and what the session tells of its warmth.
extension FrameHub {
    /// A moment before every other: the camera was not used yet.
    static let never = MonotonicTime(nanoseconds: .min / 2)

    /// Whether anybody waits for a frame that has not been taken yet: what a closed device has to be opened for.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty || $0.isFeeding } }

    /// How often the camera was stopped by command.
    var stops: Int { state.withLock { $0.stops.count } }

    /// What those are told who waited when the camera was last stopped; nil if that has not been since it had been
    /// stopped `count` times.
    func stop(since count: Int) -> Problem? { state.withLock { $0.stops.count == count ? nil : $0.stops.problem } }

    /// Takes this moment as the end of a use: a camera that lingers stays open from here on.
    func noteUse() { state.withLock { $0.lastUse = .now() } }

    /// Forgets the last use: a camera that lingers has nothing to stay open for.
    func forgetUse() { state.withLock { $0.lastUse = Self.never } }

    /// What the session last published of its warmth.
    var warmth: WarmthReport { state.withLock { $0.warmth } }

    /// Changes what is published of the warmth.
    func updateWarmth(_ change: (inout WarmthReport) -> Void) { state.withLock { change(&$0.warmth) } }

    /// Tells all who wait that there will be no frame, also those whose frame is being encoded: the camera is stopped.
    func failAll(_ problem: Problem) {
        let demands = state.withLock { state in
            state.stops = (state.stops.count + 1, problem)
            state.failFeeds(problem)
            state.breakSeries()
            var demands = Array(state.waiting.values)
            state.waiting.removeAll()
            for (order, others) in state.rendering {
                demands += others
                // The encode goes on; its result reaches no client.
                state.rendering[order] = []
            }
            return demands
        }
        for demand in demands { demand.reply.resolve(.failure(problem)) }
    }
}
