// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeDevice
internal import TintypeModel

extension OpenCamera {
    /// Empties the driver's queue, keeps the newest good frame and offers it; returns false if the source has changed.
    func pump(_ events: Int16, asleepSince asleep: MonotonicTime, slept: Duration) throws(DeviceError) -> Bool {
        if CInt(events) & POLLPRI != 0, try handleEvents() { return false }
        let began = context.clock.now
        device.clock.unwatched = asleep - emptiedAt
        var drain = try device.dequeue()
        if drain.hasEvents, try handleEvents() { return false }
        emptiedAt = began
        if drain.taken == 0, CInt(events) & (POLLERR | POLLHUP | POLLNVAL) != 0 {
            throw .system(operation: "poll", path: device.identity.path, errno: EIO)
        }
        guard drain.taken > 0 || drain.gaps > 0 else { return true }
        account(for: drain)
        var offered: SkipReason?
        let hasDamaged = drain.damaged != nil
        // Before the device is used again, which may be gone: clients of raw frames wait for no other.
        if let damaged = drain.damaged.take() { offered = try serve(damaged: damaged) }
        context.dispatcher.pass(over: .flagged, count: drain.flagged, isOffered: offered == .flagged)
        context.dispatcher.pass(over: .short, count: drain.short, isOffered: offered == .short)
        context.dispatcher.pass(over: .superseded, count: drain.superseded)
        if hasDamaged { try device.reclaim() }
        if let lease = drain.newest.take() { try keep(lease, slept: slept) }
        return true
    }

    /// Handles the device's pending events; true if the source has changed.
    private func handleEvents() throws(DeviceError) -> Bool {
        let events = try device.events()
        try controls.recordChanges(events)
        return events.contains(.sourceChanged) || events.contains(.endOfStream)
    }

    private func account(for drain: borrowing Drain) {
        let now = context.clock.now
        taken += UInt64(drain.taken)
        if drain.taken > 0 { stall.frameCame(now: now) }
        let (captured, gaps, flagged, short, superseded) = (
            UInt64(drain.taken), UInt64(drain.gaps), drain.flagged, drain.short, drain.superseded
        )
        context.published.update { snapshot in
            snapshot.counters.captured += captured
            snapshot.counters.sequenceGaps += gaps
            snapshot.counters.flagged += UInt64(flagged)
            snapshot.counters.short += UInt64(short)
            snapshot.counters.superseded += UInt64(superseded)
            if captured > 0 { snapshot.rate.count(Int(captured), at: now) }
        }
    }

    /// Offers a frame that the driver flagged as damaged to clients that accept raw frames; all others never see it.
    ///
    /// Returns its fault if it was offered.
    private func serve(damaged lease: consuming FrameLease) throws(DeviceError) -> SkipReason? {
        let stamp = lease.stamp
        guard context.dispatcher.takesDamaged, !stall.mayPredateHang(stamp),
            try !controls.shutter.refusesFrames(of: device),
            !controls.shutter.hides(stamp)
        else { return nil }
        let key = FrameKey(stream: plan.number, ordinal: stamp.ordinal)
        let wanted = context.dispatcher.offerDamaged(stamp, key: key)
        let fault: SkipReason = stamp.faults.contains(.flagged) ? .flagged : .short
        guard !wanted.isEmpty else { return fault }
        let copy = latest.capture(lease, of: device, copies: true)
        for options in wanted { context.encoder.encode(copy, as: options) }
        return fault
    }

    private func keep(_ lease: consuming FrameLease, slept: Duration) throws(DeviceError) {
        let (stamp, dispatcher) = (lease.stamp, context.dispatcher)
        guard !stall.mayPredateHang(stamp) else {
            _ = consume lease
            try device.reclaim()
            if !stamp.mayPrecedeStream { stall.frameWasGood() }
            return dispatcher.pass(over: .undated, count: 1)
        }
        // Return the previous buffer to the driver.
        dispatcher.hold(nil)
        latest.hold(lease, of: device)
        try device.reclaim()
        recordGoodFrame(stamp)
        if !stamp.mayPrecedeStream { settling.begin(with: stamp) }
        settling.show(isAwaited: dispatcher.settlingNeed(at: context.clock.now).isAwaited)
        try offerLatestFrame(isNew: true, slept: slept)
        guard dispatcher.isInUse, !controls.shutter.isClosed, visibleStamp != nil else { return }
        dispatcher.hold(latest.shareInPlace(device))
    }

    /// Resets failure detection and reports the first good frames of a stream to the session.
    private func recordGoodFrame(_ stamp: FrameStamp) {
        if !hasFrame {
            hasFrame = true
            // A stream opened only for a size change is not opened from off.
            let isFromOff = !plan.isFullSize && context.gaps.began == nil
            context.report(.firstFrame(context.clock.now, isFromOff: isFromOff), of: plan.number)
        }
        guard !stamp.mayPrecedeStream else { return }
        stall.frameWasGood()
        context.published.goodFrameCame()
        // Settling begins with the first frame that has a timestamp.
        guard !settling.hasBegun else { return }
        if !plan.isFullSize { context.endGap(at: stall.lastGood) }
        context.report(.firstTimedFrame, of: plan.number)
    }

    /// Offers the newest frame to the waiting clients, and a new one to the ring.
    func offerLatestFrame(isNew: Bool = false, slept: Duration) throws(DeviceError) {
        guard try !controls.shutter.refusesFrames(of: device), let stamp = visibleStamp else { return }
        let key = FrameKey(stream: plan.number, ordinal: stamp.ordinal)
        let ring = isNew && !plan.isFullSize && !stamp.mayPrecedeStream ? context.ring : nil
        // A frame that is a JPEG picture is in the ring then.
        let ringOptions = ring.flatMap { latest.keep(in: $0, stamp, slept: slept) ? $0.options : nil }
        let wanted = context.dispatcher.offer(stamp, key: key, isNew: isNew, slept: slept, ring: ringOptions)
        if let ringOptions, !wanted.contains(ringOptions) { ring?.complete(key, nil) }
        guard !wanted.isEmpty, let frame = latest.share(device) else { return }
        // A short copy is cheaper than waking another thread.
        for options in wanted { context.encoder.encode(frame, as: options, mayCopyHere: true) }
    }

    /// Stamp of the newest frame of a stream; nil if it was exposed before the shutter opened.
    private var visibleStamp: FrameStamp? { latest.stamp.flatMap { controls.shutter.hides($0) ? nil : $0 } }

    /// The held frame, made shareable; nil if it is not newer than `key` or must not be shown.
    func sharedFrame(after key: FrameKey?) -> Frame? {
        guard let stamp = visibleStamp else { return nil }
        if let key, key.stream == plan.number, key.ordinal >= stamp.ordinal { return nil }
        return latest.share(device)
    }
}
