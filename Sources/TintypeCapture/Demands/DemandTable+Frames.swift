// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Frames, and what is made of them for whom.
extension DemandTable {
    /// The driver's queue was seen empty after `newest`: clients that had asked by then are admitted.
    mutating func admit(after newest: FrameKey, seenEmptyAt moment: MonotonicTime) {
        for index in demands.indices
        where demands[index].admission == nil && demands[index].wish.requestedAt <= moment {
            demands[index].admission = newest
        }
    }

    /// A new frame has come.
    mutating func begin(_ key: FrameKey, slept: Duration) {
        newest = (key, slept)
        rendered.removeAll(keepingCapacity: true)
    }

    /// Frames came that were not good enough to be offered.
    mutating func pass(over reason: SkipReason, count: Int) {
        // Frames of the largest size were never meant for all.
        for index in demands.indices where serves(demands[index].wish) {
            // A client that takes frames as they are was offered the newest of them.
            let isRaw = demands[index].wish.rendition.integrity == .raw
            let passed = isRaw && [.flagged, .short].contains(reason) ? count - 1 : count
            if passed > 0 { demands[index].pass(over: reason, count: passed) }
        }
    }

    /// Offers a frame to all who want one; one that the driver calls damaged only to demands that take it as it is.
    ///
    /// Clients that a new frame does not do for count it as passed over. Returns the renditions to be made of it now.
    mutating func offer(
        _ stamp: FrameStamp,
        key: FrameKey,
        isNew: Bool,
        isDamaged: Bool = false,
        now: MonotonicTime
    ) -> [Rendition] {
        var wanted = isDamaged ? [] : continueSeries(with: key)
        for index in demands.indices where demands[index].isOpen && serves(demands[index].wish) {
            let wish = demands[index].wish
            if isDamaged, wish.rendition.integrity != .raw { continue }
            // What comes before the begin of a span was not wanted in the first place.
            let isCounted = isNew && stamp.dequeued >= wish.requestedAt
            if let reason = demands[index].objection(to: stamp, key: key, now: now, stallLimit: stallLimit) {
                if isCounted { demands[index].pass(over: reason) }
                continue
            }
            // Of a stream without a good frame nothing tells whether it has settled.
            let mayBeUnsettled = isDamaged && !settling.hasBegun
            guard mayBeUnsettled || settling.isGoodEnough(key, for: wish, at: now) else {
                demands[index].holdBack(stamp, key: key, isNew: isCounted)
                continue
            }
            if damaged?.key == key, damaged?.standards.contains(wish.rendition.standard) ?? false { continue }
            var isTaken = false
            change(at: index) { [opening] in isTaken = $0.take(stamp, key: key, opening: opening, now: now) }
            if isTaken { order(key, stamp, for: index, now: now, &wanted) }
        }
        return wanted
    }

    /// Has made what a demand has taken, or hands it over where it is made already.
    private mutating func order(
        _ key: FrameKey,
        _ stamp: FrameStamp,
        for index: Int,
        now: MonotonicTime,
        _ wanted: inout [Rendition]
    ) {
        let wish = demands[index].wish
        requestLooks(in: key, wish)
        let order = Order(key: key, rendition: wish.rendition)
        if let frame = rendered[order] {
            change(at: index) { $0.finish(key, .success(frame)) }
            if demands[index].opens { lastUse = now }
            return
        }
        if renderings[order] == nil { wanted.append(begin(order, stamp)) }
        renderings[order]?.demands.append(demands[index].id)
    }

    /// Has a rendering made though no client wants it, if none is on its way: for the ring.
    mutating func render(_ order: Order) { if renderings[order] == nil { renderings[order] = Rendering() } }

    /// What has come of a rendering.
    enum Finish: Hashable {
        /// It was made, or cannot be made of any frame of this camera.
        case done
        /// The frame is damaged; it is the first such frame after a minute without any, or not.
        case damaged(isFirst: Bool)
        /// The frame looks as a client does not want it, or the like.
        case passedOver
    }

    /// Hands an encoded frame to all who share it; those of a damaged one go on waiting, and those of a refused one are
    /// told why.
    mutating func finish(_ order: Order, _ result: Result<Frame, ImagingError>, now: MonotonicTime) -> Finish {
        let closing = closing
        for id in renderings.removeValue(forKey: order)?.demands ?? [] {
            change(id) { demand in
                demand.finish(order.key, result)
                // No further frame will come.
                if let closing { demand.fail(closing) }
            }
            if case .failure(let error) = result, !error.isRefusal { continue }
            // A client that is answered has used the camera from now on, not only once it ends its demand.
            if demand(id)?.opens == true { lastUse = now }
        }
        switch result {
        case .success(let frame):
            // An older frame is never offered again.
            if newest?.key == order.key { rendered[order] = frame }
            return .done
        case .failure(.refused): return .done
        case .failure(let error):
            if newest?.key == order.key {
                var standards = damaged?.key == order.key ? damaged?.standards ?? [] : []
                standards.insert(order.rendition.standard)
                damaged = (order.key, standards)
            }
            return error.skipReason == .corrupt ? recordDamage(now: now) : .passedOver
        }
    }

    /// A frame has turned out damaged.
    mutating func recordDamage(now: MonotonicTime) -> Finish {
        defer { lastDamage = now }
        return .damaged(isFirst: lastDamage.map { now - $0 > Self.damageMemory } ?? true)
    }

    /// Has the next frames looked at where it is not known of this one whether it is settled.
    mutating func requestLooks(in key: FrameKey, _ wish: FrameWish) {
        guard wish.settle != .never, settling.isSettled(key) != true else { return }
        settling.looksLeft = SettleState.looksPerStill
    }
}

extension ImagingError {
    /// Whether what was asked for cannot be made of any picture of the camera.
    fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}
