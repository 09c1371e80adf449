// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

/// Clients that want one frame after the other.
extension FrameHub {
    /// A feed, and what each of its frames has to be.
    struct Feeding {
        let feed: FrameFeed
        /// Never answered; it knows which frames do.
        var demand: FrameDemand
    }

    /// Begins to fill `feed` with frames that are as wished; an encode is shared with all who want the same.
    ///
    /// The session has to be rung after this. Ends with ``close(_:isGone:)``; `place` is held until then; a
    /// subscription, which is of the daemon itself, needs none.
    func open(_ feed: FrameFeed, _ wish: FrameWish, in place: WaitingRoom.Place?) -> UInt64 {
        let (id, refusal) = state.withLock { state -> (UInt64, Problem?) in
            var demand = FrameDemand(id: state.nextID, wish: wish, reply: Reply())
            state.nextID += 1
            if let closing = state.closing { return (demand.id, closing) }
            demand.place = place
            state.feeds[demand.id] = Feeding(feed: feed, demand: demand)
            return (demand.id, nil)
        }
        if let refusal { feed.fail(refusal) }
        return id
    }

    /// Ends what ``open(_:_:in:)`` began; `isGone` says that the client has gone away.
    func close(_ id: UInt64, isGone: Bool) {
        state.withLock { state in
            if !isGone { state.lastUse = .now() }
            state.feeds[id] = nil
        }
    }

    /// Whether a client takes one frame after the other now.
    var isFeeding: Bool { state.withLock { $0.isFeeding } }
}

extension FrameHub.State {
    /// Whether a feed waits for frames that have not been taken yet; one that takes what comes waits for none.
    var isFeeding: Bool { !feeds.isEmpty && feeds.values.contains { !$0.feed.isSubscription && $0.feed.isOpen } }

    /// Counts frames that were not good enough to be offered.
    func passInFeeds(over reason: SkipReason, count: Int) {
        // Frames of the largest size were never meant for them.
        for feeding in feeds.values where serves(feeding.demand.wish) {
            // A client that takes frames as they are was offered the newest of them.
            let isRaw = feeding.demand.wish.rendition.integrity == .raw
            let passed = isRaw && [.flagged, .short].contains(reason) ? count - 1 : count
            if passed > 0 { feeding.feed.pass(over: reason, count: passed) }
        }
    }

    /// Notes that the driver's queue was seen empty after `newest`.
    mutating func admitFeeds(after newest: FrameKey, seenEmptyAt moment: MonotonicTime) {
        for (id, feeding) in feeds where feeding.demand.admission == nil && feeding.demand.wish.requestedAt <= moment {
            feeds[id]?.demand.admission = newest
        }
    }

    /// Offers a frame to the feeds, one that the driver calls damaged only to those that take it as it is; what has to be
    /// rendered for them is added to `wanted`.
    mutating func feed(
        _ stamp: FrameStamp,
        key: FrameKey,
        isNew: Bool,
        now: MonotonicTime,
        isDamaged: Bool = false,
        _ wanted: inout [Rendition]
    ) {
        for (id, feeding) in feeds where serves(feeding.demand.wish) {
            if isDamaged, feeding.demand.wish.rendition.integrity != .raw { continue }
            let (feed, demand) = (feeding.feed, feeding.demand)
            if let objection = demand.objection(to: stamp, key: key, now: now, stallLimit: snapshot.stallLimit) {
                // What comes before the begin of a span was not wanted in the first place.
                if isNew, stamp.dequeued >= demand.wish.requestedAt { feed.pass(over: objection) }
                continue
            }
            if !settling.isGoodEnough(key, for: demand.wish, at: now) {
                let isCounted = isNew && stamp.dequeued >= demand.wish.requestedAt
                feed.holdBack(stamp, isNew: isCounted, since: demand.wish.requestedAt)
                if isCounted { feeds[id]?.demand.heldBack = key }
                continue
            }
            let rendition = demand.wish.rendition
            if damaged?.key == key, damaged?.standards.contains(rendition.standard) ?? false { continue }
            guard feed.accept(stamp, key: key, wasHeldBack: demand.heldBack == key) else { continue }
            noteInterest(in: key, demand.wish)
            let order = FrameHub.Order(key: key, rendition: rendition)
            if let frame = rendered[order] {
                feed.finish(key, .success(frame))
                if !feed.isSubscription { lastUse = now }
                continue
            }
            if rendering[order] == nil {
                rendering[order] = []
                wanted.append(rendition)
                if feed.isSubscription { ringOnly.insert(order) }
            }
            if !feed.isSubscription { ringOnly.remove(order) }
            feedsOfRendering[order, default: []].append(id)
        }
    }

    /// Hands what was made of a frame to the feeds that took it.
    mutating func finishFeeds(_ order: FrameHub.Order, _ result: Result<Frame, ImagingError>) {
        guard !feedsOfRendering.isEmpty, let ids = feedsOfRendering.removeValue(forKey: order) else { return }
        for id in ids {
            guard let feed = feeds[id]?.feed else { continue }
            feed.finish(order.key, result)
            if !feed.isSubscription { lastUse = .now() }
        }
    }

    /// Tells the feeds that there will be no further frame; those that outlast a stream, once the session has ended.
    func failFeeds(_ problem: Problem) {
        for feeding in feeds.values where closing != nil || !feeding.feed.isSubscription { feeding.feed.fail(problem) }
    }
}
