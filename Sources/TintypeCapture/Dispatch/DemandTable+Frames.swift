// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

extension DemandTable {
    /// Admits clients that had asked before the driver's queue was seen empty, after buffer `newest`.
    mutating func admit(after newest: FrameKey, seenEmptyAt moment: MonotonicTime) {
        for index in demands.indices
        where demands[index].admission == nil && demands[index].wish.requestedAt <= moment {
            demands[index].admission = newest
        }
    }

    mutating func begin(_ key: FrameKey, slept: Duration) {
        newest = (key, slept)
        rendered.removeAll(keepingCapacity: true)
    }

    /// Counts frames not good enough; `isOffered` if clients of raw frames were offered one of them.
    mutating func pass(over reason: SkipReason, count: Int, isOffered: Bool) {
        // Full-size frames are not meant for all clients.
        for index in demands.indices where serves(demands[index].wish) {
            let isRaw = demands[index].wish.options.integrity == .raw
            let passed = isRaw && isOffered ? count - 1 : count
            if passed > 0 { demands[index].pass(over: reason, count: passed) }
        }
    }

    /// Offers a frame to all clients, a damaged one only to clients of raw frames, and returns the options to encode
    /// now; clients that reject a new frame count it as skipped.
    mutating func offer(
        _ stamp: FrameStamp,
        key: FrameKey,
        isNew: Bool,
        isDamaged: Bool = false,
        now: MonotonicTime
    ) -> [EncodingOptions] {
        var wanted = isDamaged ? [] : continueSeries(with: key)
        for index in demands.indices where demands[index].isOpen && serves(demands[index].wish) {
            let wish = demands[index].wish
            if isDamaged, wish.options.integrity != .raw { continue }
            // A frame from before the start of a span is not skipped: it was never wanted.
            let isCounted = isNew && stamp.dequeued >= wish.requestedAt
            if let reason = demands[index].objection(to: stamp, key: key, now: now, stallLimit: stallLimit) {
                if isCounted { demands[index].pass(over: reason) }
                continue
            }
            // Settling is unknown in a stream without a good frame.
            let mayBeUnsettled = isDamaged && !settling.hasBegun
            guard mayBeUnsettled || settling.isGoodEnough(key, for: wish, at: now) else {
                demands[index].holdBack(stamp, key: key, isNew: isCounted)
                continue
            }
            if damaged?.key == key, damaged?.standards.contains(wish.options.standard) ?? false { continue }
            var isTaken = false
            change(at: index) { [opening] in isTaken = $0.take(stamp, key: key, opening: opening, now: now) }
            if isTaken { order(key, stamp, for: index, now: now, &wanted) }
        }
        return wanted
    }

    /// Orders the encoding of a taken frame, or delivers it if already encoded.
    private mutating func order(
        _ key: FrameKey,
        _ stamp: FrameStamp,
        for index: Int,
        now: MonotonicTime,
        _ wanted: inout [EncodingOptions]
    ) {
        let wish = demands[index].wish
        requestLooks(in: key, wish)
        let order = Order(key: key, options: wish.options)
        if let frame = rendered[order] {
            change(at: index) { $0.finish(key, .success(frame)) }
            if demands[index].opens { lastUse = now }
            return
        }
        if renderings[order] == nil { wanted.append(begin(order, stamp)) }
        renderings[order]?.demands.append(demands[index].id)
    }

    /// See ``FrameDispatcher/client(awaiting:of:)``.
    func client(awaiting options: EncodingOptions, of key: FrameKey) -> String? {
        let order = options.part.map(order(of:)) ?? Order(key: key, options: options)
        guard let order, let first = renderings[order]?.demands.first else { return nil }
        return demand(first)?.place?.client
    }

    /// Registers an encoding for the ring, if none is in progress.
    mutating func render(_ order: Order) { if renderings[order] == nil { renderings[order] = Rendering() } }

    enum Finish: Hashable {
        /// Encoded, or impossible for any frame of this camera.
        case done
        /// The frame is damaged; `isFirst`: the first one after a minute without any.
        case damaged(isFirst: Bool)
        /// The picture was rejected by the client's standard, such as a blank one.
        case passedOver
    }

    /// Delivers an encoded frame to all demands that share it; those of a damaged one keep waiting, those of a refused
    /// one fail.
    mutating func finish(_ order: Order, _ result: Result<EncodedImage, ImagingError>, now: MonotonicTime) -> Finish {
        let closing = closing
        for id in renderings.removeValue(forKey: order)?.demands ?? [] {
            change(id) { demand in
                demand.finish(order.key, result)
                // The session has ended.
                if let closing { demand.fail(closing) }
            }
            if case .failure(let error) = result, !error.isRefusal { continue }
            // A delivered frame counts as use of the camera, not only the end of the demand.
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
                standards.insert(order.options.standard)
                damaged = (order.key, standards)
            }
            return error.skipReason == .corrupt ? recordDamage(now: now) : .passedOver
        }
    }

    mutating func recordDamage(now: MonotonicTime) -> Finish {
        defer { lastDamage = now }
        return .damaged(isFirst: lastDamage.map { now - $0 > Self.damageMemory } ?? true)
    }

    /// Requests analysis of the next frames if this one is not known to be settled.
    mutating func requestLooks(in key: FrameKey, _ wish: FrameWish) {
        guard wish.settle != .never, settling.isSettled(key) != true else { return }
        settling.looksLeft = SettleState.looksPerStill
    }
}

extension ImagingError {
    /// True if the requested picture cannot be made from any frame of the camera.
    fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}
