// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeDevice
internal import TintypeModel

extension CameraWorker {
    /// Empties the driver's queue, keeps the newest good frame and offers it; `events`: poll(2) result since `asleep`,
    /// or 0.
    func pump(_ events: Int16, asleepSince asleep: MonotonicTime) {
        guard let camera else { return }
        let device = camera.device
        do throws(DeviceError) {
            if CInt(events) & POLLPRI != 0, try !act(onEventsOf: device) { return }
            let began = clock.now
            device.clock.unwatched = asleep - camera.emptiedAt
            var drain = try device.dequeue()
            if drain.hasEvents, try !act(onEventsOf: device) { return }
            camera.emptiedAt = began
            if drain.taken == 0, CInt(events) & (POLLERR | POLLHUP | POLLNVAL) != 0 {
                throw .system(operation: "poll", path: device.identity.path, errno: EIO)
            }
            guard drain.taken > 0 || drain.gaps > 0 else { return }
            account(for: drain, of: camera)
            if let damaged = drain.damaged.take() {
                let offered = serve(damaged: damaged, of: camera)
                passOver(drain, offered: offered)
                try device.reclaim()
            } else {
                passOver(drain, offered: nil)
            }
            // The device may be lost by now.
            guard self.camera === camera else { return }
            guard let lease = drain.newest.take() else { return }
            let stamp = lease.stamp
            guard !isOfAnyTime(stamp, camera) else {
                _ = consume lease
                try device.reclaim()
                if !stamp.mayPrecedeStream { camera.stall.frameWasGood() }
                return dispatcher.pass(over: .undated, count: 1)
            }
            // Return the previous buffer to the driver.
            dispatcher.hold(nil)
            camera.newest.hold(lease, of: device)
            try device.reclaim()
            recordGoodFrame(stamp, of: camera)
            beginSettling(with: stamp, of: camera)
            showSettling(isAwaited: dispatcher.settlingNeed(at: clock.now).isAwaited)
            serveHeldFrame(isNew: true)
            guard self.camera === camera, dispatcher.isInUse, !shutter.isClosed, visibleStamp(of: camera) != nil else {
                return
            }
            dispatcher.hold(camera.newest.shareInPlace(camera.device))
        } catch {
            fail(error)
        }
    }

    /// True if a frame without a timestamp may predate a driver call that hung; the following frame cannot.
    private func isOfAnyTime(_ stamp: FrameStamp, _ camera: OpenCamera) -> Bool {
        stamp.source == .dequeue && stamp.uncertainty > camera.stall.limit
    }

    /// Resets failure detection and reports the first good frames of a stream to the session.
    private func recordGoodFrame(_ stamp: FrameStamp, of camera: OpenCamera) {
        if camera.settling.isAwaitingFirst {
            camera.settling.isAwaitingFirst = false
            // A stream opened only for a size change is not opened from off.
            tell(.firstFrame(clock.now, isFromOff: !camera.plan.isFullSize && context.gaps.began == nil))
        }
        guard !stamp.mayPrecedeStream else { return }
        camera.stall.frameWasGood()
        published.goodFrameCame()
        // Settling begins with the first frame that has a timestamp.
        guard camera.settling.tracker == nil else { return }
        if !camera.plan.isFullSize { context.endGap(at: camera.stall.lastGood) }
        tell(.firstTimedFrame)
    }

    private func account(for drain: borrowing Drain, of camera: OpenCamera) {
        camera.taken += UInt64(drain.taken)
        if drain.taken > 0 { camera.stall.frameCame(now: clock.now) }
        let (captured, gaps, flagged, short, superseded) = (
            UInt64(drain.taken), UInt64(drain.gaps), drain.flagged, drain.short, drain.superseded
        )
        let now = clock.now
        published.update { snapshot in
            snapshot.counters.captured += captured
            snapshot.counters.sequenceGaps += gaps
            snapshot.counters.flagged += UInt64(flagged)
            snapshot.counters.short += UInt64(short)
            snapshot.counters.superseded += UInt64(superseded)
            if captured > 0 { snapshot.rate.count(Int(captured), at: now) }
        }
    }

    /// Counts the frames that clients were not offered; `offered` is the fault of one that was offered as a raw frame.
    private func passOver(_ drain: borrowing Drain, offered: SkipReason?) {
        dispatcher.pass(over: .flagged, count: drain.flagged, isOffered: offered == .flagged)
        dispatcher.pass(over: .short, count: drain.short, isOffered: offered == .short)
        dispatcher.pass(over: .superseded, count: drain.superseded)
    }

    /// Offers a frame that the driver flagged as damaged to clients that accept raw frames; all others never see it.
    ///
    /// Returns its fault if it was offered.
    private func serve(damaged lease: consuming FrameLease, of camera: OpenCamera) -> SkipReason? {
        let stamp = lease.stamp
        guard dispatcher.takesDamaged, !isOfAnyTime(stamp, camera), !refuseBehindShutter(),
            stamp.exposureStart >= shutter.opened
        else { return nil }
        let key = FrameKey(stream: camera.number, ordinal: stamp.ordinal)
        let options = dispatcher.offerDamaged(stamp, key: key)
        let fault: SkipReason = stamp.faults.contains(.flagged) ? .flagged : .short
        guard !options.isEmpty else { return fault }
        let copy = camera.newest.capture(lease, of: camera.device, copies: true)
        // Encode first: the device may be gone, and the clients of this picture wait for no other.
        for options in options { context.encode(copy, as: options) }
        return fault
    }

    func serveHeldFrame(isNew: Bool = false) {
        guard let camera, !refuseBehindShutter(), let stamp = visibleStamp(of: camera) else { return }
        let key = FrameKey(stream: camera.number, ordinal: stamp.ordinal)
        let ring = context.ring
        let ringRendition = isNew && keepInRing(stamp, of: camera) ? ring?.options : nil
        let options = dispatcher.offer(stamp, key: key, isNew: isNew, slept: sleptBefore, ring: ringRendition)
        if let ringRendition, !options.contains(ringRendition) { ring?.complete(key, nil) }
        guard !options.isEmpty, let shared = camera.newest.share(camera.device) else { return }
        // A short copy is cheaper than waking another thread.
        for options in options { context.encode(shared, as: options, mayCopyHere: true) }
    }

    /// Stamp of the newest frame of a stream; nil if it was exposed before the shutter opened.
    private func visibleStamp(of camera: OpenCamera) -> FrameStamp? {
        guard let stamp = camera.newest.stamp, stamp.exposureStart >= shutter.opened else { return nil }
        return stamp
    }

    /// Puts the held frame into the ring, if there is one; returns true if it must be encoded for that.
    private func keepInRing(_ stamp: FrameStamp, of camera: OpenCamera) -> Bool {
        guard let ring = context.ring, !camera.plan.isFullSize, !stamp.mayPrecedeStream else { return false }
        return camera.newest.keep(in: ring, stamp, slept: sleptBefore)
    }

    /// The held frame, made shareable; nil if it is not newer than `key` or must not be shown.
    func sharedFrame(of camera: OpenCamera, after key: FrameKey?) -> Frame? {
        guard let stamp = visibleStamp(of: camera) else { return nil }
        if let key, key.stream == camera.number, key.ordinal >= stamp.ordinal { return nil }
        return camera.newest.share(camera.device)
    }

    /// Handles the device's pending events; false if the stream was ended, and nothing of it may be used any more.
    private func act(onEventsOf device: any CaptureDevice) throws(DeviceError) -> Bool {
        let events = try device.events()
        try recordForeignChanges(events, of: device)
        guard events.contains(.sourceChanged) || events.contains(.endOfStream) else { return true }
        // Held frames have the old size. Waiting clients keep waiting until their deadlines.
        let number = camera?.number
        close()
        if let number { context.mailbox.tell(CameraEvent(stream: number, what: .sourceChanged)) }
        return false
    }

    /// Samples the held frame for motion if a sample is due, but no full-size frame, which is for one still, and none
    /// of the first frames without timestamps, which may hold anything.
    func watchForMotion() {
        guard let motion = context.motion, motion.isDue, let camera, camera.settling.tracker != nil,
            !camera.plan.isFullSize, !shutter.isClosed,
            let shared = sharedFrame(of: camera, after: camera.sampled)
        else { return }
        camera.sampled = shared.key
        motion.begin()
        context.encoding.sample(shared) { motion.finish($0, of: shared) }
    }
}
