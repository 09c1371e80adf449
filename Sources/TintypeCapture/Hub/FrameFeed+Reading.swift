// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeThreads

/// The side of who wants the frames.
extension FrameFeed {
    /// What there is to take out now; nil if that has to be waited for.
    private func take(orElse waiter: Reply<Bool>) -> Step? {
        state.withLock { state in
            if let gap = state.items.first?.gap {
                state.items[0].gap = nil
                return .gap(gap)
            }
            if let frame = state.items.first?.frame {
                state.faults = [:]
                return .frame(frame, skipped: state.items.removeFirst().skipped)
            }
            if state.items.isEmpty {
                if let gap = state.gap.take() { return .gap(gap) }
                if hasAll(state) { return .end(skipped: state.skipped) }
                if let failure = state.failure { return .failed(failure) }
            }
            state.waiter = waiter
            return nil
        }
    }

    /// Waits for what comes next; nil if nothing has by `moment`.
    ///
    /// To be called by one task. One that is cancelled is told so by a problem with code `stopping`.
    func next(until moment: MonotonicTime) async -> Step? {
        while true {
            let waiter = Reply<Bool>()
            if let step = take(orElse: waiter) { return step }
            switch await waiter.wait(until: moment) {
            case .success: continue
            case .failure(let problem): return .failed(problem)
            case nil: return nil
            }
        }
    }

    /// When the newest frame came that is none of every n-th.
    var lastUnwanted: MonotonicTime { state.withLock { $0.lastUnwanted } }

    /// How long its first frame was held back for settling alone.
    var settleTime: Duration { state.withLock { $0.settleTime ?? .zero } }

    /// What was passed over since the last frame that was taken.
    var skipped: [SkipReason: Int] { state.withLock { $0.skipped } }

    /// What was wrong with the frames that were looked at since the last one that was taken.
    var faults: [PictureFault: Int] { state.withLock { $0.faults } }
}
