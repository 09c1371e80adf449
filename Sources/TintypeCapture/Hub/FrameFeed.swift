// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

/// One frame after the other for a client that wants several, in the order of their capture and none of them twice.
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
        /// Whether the stream may be interrupted meanwhile for a still of the largest size, which is then told: not where
        /// no frame must be missing.
        var allowsGaps = false
        /// Whether it takes what comes and no more: it opens no camera, keeps none open, and outlasts every stream.
        var isSubscription = false
    }

    /// What comes next.
    enum Step: Sendable {
        /// A frame, and what was passed over between the one before and this one.
        case frame(Frame, skipped: [SkipReason: Int])
        /// The stream was interrupted: there is no frame of that time.
        case gap(StreamGap)
        /// Nothing any more, and what was passed over since the last frame.
        case end(skipped: [SkipReason: Int])
        /// There will be none.
        case failed(Problem)
    }

    struct Item {
        let key: FrameKey
        var skipped: [SkipReason: Int]
        /// The interruption between the frame before and this one.
        var gap: StreamGap?
        var frame: Frame?
    }

    struct State {
        var items: [Item] = []
        var taken = 0
        var seen = 0
        var last: FrameKey?
        var lastUnwanted = FrameHub.never
        var skipped: [SkipReason: Int] = [:]
        /// The interruption since the newest of the ``items``.
        var gap: StreamGap?
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
    let state = Mutex(State())

    init(_ plan: Plan) { self.plan = plan }

    /// See ``Plan/isSubscription``.
    var isSubscription: Bool { plan.isSubscription }

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
            state.items.append(Item(key: key, skipped: state.skipped, gap: state.gap.take()))
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

    /// Hands over what was made of a frame that was taken; one that turned out to be damaged is passed over, and where what
    /// is wanted cannot be made of this camera's pictures, no further frame comes.
    func finish(_ key: FrameKey, _ result: Result<Frame, ImagingError>) {
        let waiter = state.withLock { state -> Reply<Bool>? in
            guard let index = state.items.firstIndex(where: { $0.key == key }) else { return nil }
            switch result {
            case .success(let frame): state.items[index].frame = frame
            case .failure(.refused(let problem)):
                // Nor can it be made of any other frame.
                state.items.remove(at: index)
                state.taken -= 1
                state.failure = state.failure ?? problem
            case .failure(let error):
                if let fault = error.fault { state.faults[fault, default: 0] += 1 }
                let item = state.items.remove(at: index)
                var skipped = item.skipped
                skipped[error.skipReason, default: 0] += 1
                if index < state.items.count {
                    state.items[index].skipped.merge(skipped, uniquingKeysWith: +)
                    state.items[index].gap = StreamGap.joined(item.gap, state.items[index].gap)
                } else {
                    state.skipped.merge(skipped, uniquingKeysWith: +)
                    state.gap = StreamGap.joined(item.gap, state.gap)
                }
                state.taken -= 1
            }
            return state.waiter.take()
        }
        waiter?.resolve(.success(true))
    }

    /// Tells that the stream was interrupted before the next frame, to a client that allows that.
    ///
    /// What comes before the next frame that is taken is one interruption: there was no picture in between.
    func note(_ gap: StreamGap) {
        guard plan.allowsGaps else { return }
        let waiter = state.withLock { state -> Reply<Bool>? in
            guard state.failure == nil, !hasAll(state) else { return nil }
            state.gap = StreamGap.joined(state.gap, gap)
            return state.waiter.take()
        }
        waiter?.resolve(.success(true))
    }

    /// Whether the stream must not be interrupted now.
    var forbidsGaps: Bool { !plan.allowsGaps && isOpen }

    /// Tells that no further frame comes; those that were taken are still handed out.
    func fail(_ problem: Problem) {
        let waiter = state.withLock { state -> Reply<Bool>? in
            guard state.failure == nil, !hasAll(state) else { return nil }
            state.failure = problem
            return state.waiter.take()
        }
        waiter?.resolve(.success(true))
    }

    /// Takes no further frame; those that were taken are still handed out.
    func end() {
        let waiter = state.withLock { state in
            state.hasEnded = true
            return state.waiter.take()
        }
        waiter?.resolve(.success(true))
    }

    /// Whether it wants no frame that has not come yet.
    func hasAll(_ state: borrowing State) -> Bool {
        state.hasEnded || plan.count.map { state.taken >= $0 } ?? false
    }
}
