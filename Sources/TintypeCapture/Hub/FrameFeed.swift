// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

/// One frame after the other for somebody who wants several, in the order of their capture and none of them twice.
///
/// The hub fills it as frames come, whether or not anybody takes them out meanwhile; there is room for ``room`` frames,
/// and what comes while that is used up is passed over and counted. Any thread; never blocks.
final class FrameFeed: Sendable {
    /// Which frames it takes.
    struct Plan: Sendable {
        /// How many; nil for all up to ``end``.
        var count: Int?
        /// Each which one of those that come.
        var nth = 1
        /// None whose exposure began later; nil for any.
        var end: MonotonicTime?
    }

    /// What comes next.
    enum Step: Sendable {
        /// A frame, and what was passed over between the one before and this one.
        case frame(Frame, skipped: [SkipReason: Int])
        /// Nothing any more, and what was passed over since the last frame.
        case end(skipped: [SkipReason: Int])
        /// There will be none.
        case failed(Problem)
    }

    private struct Item {
        let key: FrameKey
        var skipped: [SkipReason: Int]
        var frame: Frame?
    }

    private struct State {
        var items: [Item] = []
        var taken = 0
        var seen = 0
        var last: FrameKey?
        var lastUnwanted = FrameHub.never
        var skipped: [SkipReason: Int] = [:]
        var heldBackSince: MonotonicTime?
        var settleTime: Duration?
        var faults: [PictureFault: Int] = [:]
        var hasEnded = false
        var failure: Problem?
        var waiter: Reply<Bool>?
    }

    /// The most frames that wait to be taken out, encoded or not.
    static let room = 8

    private let plan: Plan
    private let state = Mutex(State())

    init(_ plan: Plan) { self.plan = plan }

    // MARK: - The hub's side

    /// Whether it still wants frames that have not come yet.
    var isOpen: Bool { state.withLock { $0.failure == nil && !hasAll($0) } }

    /// Whether it takes this frame, which does for its wish.
    ///
    /// Each frame is asked for once; what was taken is to be finished. One that was held back until it had been looked at
    /// is not counted as passed over.
    func accept(_ stamp: FrameStamp, key: FrameKey, wasHeldBack: Bool = false) -> Bool {
        let (isTaken, waiter) = state.withLock { state -> (Bool, Reply<Bool>?) in
            guard state.failure == nil, !hasAll(state), state.last.map({ key > $0 }) ?? true else {
                return (false, nil)
            }
            if let end = plan.end, stamp.exposureStart > end {
                state.hasEnded = true
                return (false, state.waiter.take())
            }
            state.last = key
            state.seen += 1
            if let since = state.heldBackSince, state.settleTime == nil {
                state.settleTime = max(.zero, .now() - since)
            }
            if wasHeldBack, let count = state.skipped[.unsettled] {
                state.skipped[.unsettled] = count > 1 ? count - 1 : nil
            }
            guard (state.seen - 1) % plan.nth == 0 else {
                state.lastUnwanted = stamp.dequeued
                return (false, nil)
            }
            guard state.items.count < Self.room else {
                state.skipped[.overrun, default: 0] += 1
                return (false, nil)
            }
            state.items.append(Item(key: key, skipped: state.skipped))
            state.skipped = [:]
            state.taken += 1
            return (true, nil)
        }
        waiter?.resolve(.success(true))
        return isTaken
    }

    /// Counts frames that came and do not do.
    func pass(over reason: SkipReason, count: Int = 1) {
        state.withLock { state in
            guard !hasAll(state) else { return }
            state.skipped[reason, default: 0] += count
        }
    }

    /// Counts a frame as passed over since it is not known to be settled, if it `isNew`.
    func holdBack(_ stamp: FrameStamp, isNew: Bool, since requestedAt: MonotonicTime) {
        state.withLock { state in
            state.heldBackSince = state.heldBackSince ?? max(requestedAt, stamp.dequeued)
            guard isNew, !hasAll(state) else { return }
            state.skipped[.unsettled, default: 0] += 1
        }
    }

    /// Hands over what was made of a frame that was taken; one that turned out to be damaged is passed over.
    func finish(_ key: FrameKey, _ result: Result<Frame, ImagingError>) {
        let waiter = state.withLock { state -> Reply<Bool>? in
            guard let index = state.items.firstIndex(where: { $0.key == key }) else { return nil }
            switch result {
            case .success(let frame): state.items[index].frame = frame
            case .failure(let error):
                if let fault = error.fault { state.faults[fault, default: 0] += 1 }
                var skipped = state.items.remove(at: index).skipped
                skipped[.corrupt, default: 0] += 1
                if index < state.items.count {
                    state.items[index].skipped.merge(skipped, uniquingKeysWith: +)
                } else {
                    state.skipped.merge(skipped, uniquingKeysWith: +)
                }
                state.taken -= 1
            }
            return state.waiter.take()
        }
        waiter?.resolve(.success(true))
    }

    /// Tells that no further frame comes; those that were taken are still handed out.
    func fail(_ problem: Problem) {
        let waiter = state.withLock { state -> Reply<Bool>? in
            guard state.failure == nil, !hasAll(state) else { return nil }
            state.failure = problem
            return state.waiter.take()
        }
        waiter?.resolve(.success(true))
    }

    private func hasAll(_ state: borrowing State) -> Bool {
        state.hasEnded || plan.count.map { state.taken >= $0 } ?? false
    }

    // MARK: - The side of who wants the frames

    /// What there is to take out now; nil if that has to be waited for.
    private func take(orElse waiter: Reply<Bool>) -> Step? {
        state.withLock { state in
            if let frame = state.items.first?.frame {
                state.faults = [:]
                return .frame(frame, skipped: state.items.removeFirst().skipped)
            }
            if state.items.isEmpty {
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
