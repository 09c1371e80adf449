// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel

/// Settling, as waiting clients see it.
extension FrameHub {
    /// A stream has given its first good frame, or its controls were changed: a client that wants settled frames waits
    /// again, until `end` where they wait no longer than settling may take.
    func beginSettling(stream: UInt64, until end: MonotonicTime) {
        state.withLock { $0.settling.begin(stream: stream, until: end) }
    }

    /// A frame was looked at that came at `moment`; those from `key` on are settled, if it is given.
    func noteLook(at moment: MonotonicTime, settledFrom key: FrameKey?, hasSeenChange: Bool) {
        state.withLock { $0.settling.note(at: moment, settledFrom: key, hasSeenChange: hasSeenChange) }
    }

    /// Whether exposure and white balance had settled at a frame; nil where that was not looked at.
    func isSettled(_ key: FrameKey) -> Bool? { state.withLock { $0.settling.isSettled(key) } }

    /// Whether a client waits for settling now.
    func isSettlingAwaited(at now: MonotonicTime) -> Bool {
        state.withLock { state in
            state.awaitsSettling(at: now)
        }
    }

    /// Whether the next frame is worth a look.
    func wantsLook(at now: MonotonicTime) -> Bool {
        state.withLock { state in
            guard state.settling.settledFrom == nil else { return false }
            return state.settling.curiosity > 0 || state.awaitsSettling(at: now)
        }
    }

    /// When the next waiting client gives up on settling; nil if none will.
    func nextSettleLimit(after now: MonotonicTime) -> MonotonicTime? {
        state.withLock { state in
            guard state.settling.settledFrom == nil else { return nil }
            var next: MonotonicTime?
            state.forEachWish { wish in
                guard wish.settle == .auto else { return }
                let limit = state.settling.limit(of: wish)
                if limit > now, limit < next ?? MonotonicTime(nanoseconds: .max) { next = limit }
            }
            return next
        }
    }

    /// How long the answer to a demand was held back for settling alone; to be asked before it is withdrawn.
    func settleTime(of demand: FrameDemand) -> Duration { state.withLock { $0.settleTimes[demand.id] ?? .zero } }
}

extension FrameHub.State {
    /// Whether a client waits for settling.
    fileprivate func awaitsSettling(at now: MonotonicTime) -> Bool {
        waiting.values.contains { settling.isAwaited(by: $0.wish, at: now) }
            || feeds.values.contains { $0.feed.isOpen && settling.isAwaited(by: $0.demand.wish, at: now) }
    }

    /// Calls `body` with the wish of each who waits for frames that have not come yet.
    fileprivate func forEachWish(_ body: (FrameWish) -> Void) {
        for demand in waiting.values { body(demand.wish) }
        for feeding in feeds.values where feeding.feed.isOpen { body(feeding.demand.wish) }
    }

    /// Whether settling holds a frame back that would do for a client otherwise.
    mutating func holdsBack(_ stamp: FrameStamp, _ key: FrameKey, _ demand: FrameDemand, now: MonotonicTime) -> Bool {
        guard !settling.isGoodEnough(key, for: demand.wish, at: now) else { return false }
        waiting[demand.id]?.noteHeldBack(stamp, key)
        return true
    }

    /// Notes that a frame goes to a client, and how long settling has delayed it.
    mutating func noteTaken(_ key: FrameKey, by demand: inout FrameDemand, at now: MonotonicTime) {
        noteInterest(in: key, demand.wish)
        demand.useHeldBack(key)
        guard let since = demand.heldBackSince, settleTimes[demand.id] == nil else { return }
        settleTimes[demand.id] = max(.zero, now - since)
    }

    /// Has the next frames looked at where it is not known of this one whether it is settled.
    mutating func noteInterest(in key: FrameKey, _ wish: FrameWish) {
        guard wish.settle != .never, settling.isSettled(key) != true else { return }
        settling.curiosity = SettleState.curiosityOfOne
    }
}

extension FrameDemand {
    /// A frame was not given because it was not known to be settled.
    mutating func noteHeldBack(_ stamp: FrameStamp, _ key: FrameKey) {
        heldBackSince = heldBackSince ?? max(wish.requestedAt, stamp.dequeued)
        heldBack = key
    }

    /// The frame is given: where it was held back until it had been looked at, it was not passed over.
    mutating func useHeldBack(_ key: FrameKey) {
        guard heldBack == key, let count = skipped[.unsettled] else { return }
        skipped[.unsettled] = count > 1 ? count - 1 : nil
    }
}
