// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel

/// A streaming device, on the camera's thread; deinitialisation closes it, but leases stay readable until they end.
final class OpenCamera {
    let context: CameraContext
    let plan: OpeningPlan
    let device: any CaptureDevice
    let negotiation: Negotiation
    let controls: ControlWatch
    let settling: ExposureSettling
    var latest: LatestFrame
    var stall: StallRule
    /// Number of buffers dequeued from the driver, good or not.
    var taken: UInt64 = 0
    /// Start of the last drain of the driver's queue: earlier frames are counted in ``taken``.
    var emptiedAt: MonotonicTime
    var hasFrame = false
    var sampled: FrameKey?
    private static let longestSleep = Duration.seconds(5)
    private var interval: Duration? { negotiation.granted.format.interval?.duration }

    init(
        _ device: any CaptureDevice,
        _ plan: OpeningPlan,
        _ shutter: PrivacyShutter,
        _ pace: CameraPace,
        _ context: CameraContext
    ) throws(DeviceError) {
        let negotiation = try Negotiation(device, plan.configuration, largest: plan.isFullSize)
        let granted = negotiation.granted
        let converter: SerialConverter?
        switch try device.makeConverter(for: granted) {
        case .some(let made): converter = SerialConverter(made)
        case .none: converter = nil
        }
        let controls = ControlWatch(of: device, shutter, context)
        try controls.keep(plan.wishes)
        let exposure = device.exposureTime()
        device.clock.stream = plan.number
        device.clock.lead = plan.configuration.lead
        device.clock.exposure = exposure
        let emptiedAt = context.clock.now
        let buffers = try device.start()
        try controls.keep(plan.wishes)
        try shutter.read(of: device, isNew: true)
        context.knownFaults.begin(with: device.identity)
        // Nothing throws from here on.
        (self.device, self.plan, self.context) = (device, plan, context)
        (self.negotiation, self.controls, self.emptiedAt) = (negotiation, controls, emptiedAt)
        latest = LatestFrame(
            layout: granted.layout,
            converter: converter,
            faults: context.knownFaults,
            copiesAtOnce: buffers < wantedBuffers || device.overwritesLentBuffers
        )
        let interval = granted.format.interval?.duration
        settling = ExposureSettling(of: device, stream: plan.number, interval: interval ?? .zero, context)
        stall = StallRule(
            stall: plan.configuration.stall,
            firstFrame: plan.configuration.firstFrame,
            pace: pace,
            interval: interval,
            exposure: exposure,
            now: context.clock.now
        )
        // A cold camera is opened for each picture, so this would fill the log.
        context.logger.log(
            level: plan.configuration.warmth == .cold ? .debug : .info,
            "the camera is streaming",
            metadata: ["format": "\(granted.format)", "asked": "\(negotiation.asked)", "buffers": "\(buffers)"]
        )
        context.publish(negotiation, of: device.identity)
        if plan.isFullSize { context.gaps.register(stream: plan.number) }
        let limits = stall.limits
        let opening = SessionSnapshot.Opening(began: plan.began, took: context.clock.now - plan.began)
        context.published.update { snapshot in
            snapshot.opening = opening
            snapshot.counters.opened += 1
        }
        context.dispatcher.change { state in
            (state.isUsualSize, state.isLargestSize) = (!plan.isFullSize, negotiation.isLargest)
            (state.opening, state.limits) = (opening, limits)
            state.settling.begin(stream: plan.number, until: MonotonicTime.distantFuture)
        }
    }

    deinit {
        // Drop a frame without clients before the driver's memory goes: it would be copied otherwise.
        latest.drop()
        device.stop()
    }

    /// Soon also if the camera may be silent for long: a turn notices that the machine was suspended.
    var deadline: MonotonicTime {
        let limit = context.dispatcher.settlingNeed(at: context.clock.now).limit
        return min(stall.end, emptiedAt + Self.longestSleep, watchTime ?? stall.end, limit ?? stall.end)
    }

    /// Nil if the controls are watched already, and while a client waits for settled frames.
    private var watchTime: MonotonicTime? {
        controls.isBegun || settling.isAwaited ? nil : plan.began + ControlWatch.delay
    }

    /// False if the source has changed (`V4L2_EVENT_SOURCE_CHANGE`, `V4L2_EVENT_EOS`); `slept`: suspend time of the
    /// machine.
    func turn(_ events: Int16, asleepSince asleep: MonotonicTime, slept: Duration) throws(DeviceError) -> Bool {
        let offered = latest.stamp?.key
        guard try pump(events, asleepSince: asleep, slept: slept) else { return false }
        admitWaiting()
        // A frame that has just come was offered when it came.
        if settling.takeAnalysis() || latest.stamp?.key == offered { try offerLatestFrame(slept: slept) }
        if !controls.shutter.isClosed { try settling.analyse { sharedFrame(after: $0) } }
        sampleForMotion()
        judgeForAlarms()
        if context.dispatcher.isInUse { try controls.readIfDue() }
        try checkForStall()
        // The first frame is delivered before.
        if let watchTime, context.clock.now >= watchTime || plan.staysOpen && !context.dispatcher.need.isInDemand {
            try controls.begin()
        }
        return true
    }

    /// Offers future frames to clients that asked before the queue was last seen empty.
    func admitWaiting() {
        let last = FrameKey(stream: plan.number, ordinal: taken)
        context.dispatcher.state.withLock { [emptiedAt] in $0.admit(after: last, seenEmptyAt: emptiedAt) }
    }

    private func checkForStall() throws(DeviceError) {
        // Judge at the time of the last empty queue: a slow call on this thread is not silence of the camera.
        if stall.finding(now: emptiedAt) == .silent, stall.allow(interval: interval, exposure: device.exposureTime()) {
            context.dispatcher.limits = stall.limits
        }
        switch stall.finding(now: emptiedAt) {
        case nil: return
        case .damaged: throw .damaged(path: device.identity.path)
        case .silent:
            stall.endsSilent()
            throw .silent(path: device.identity.path, isFirst: stall.awaitsFirstFrame)
        }
    }

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

    private func handleEvents() throws(DeviceError) -> Bool {
        let events = try device.events()
        try controls.recordChanges(events)
        return events.contains(.sourceChanged) || events.contains(.endOfStream)
    }

    private func account(for drain: borrowing Drain) {
        let now = context.clock.now
        taken += UInt64(drain.taken)
        // A dequeue may take long, too.
        let unwatched = device.clock.unwatched + (now - emptiedAt)
        if drain.taken > 0, stall.frameCame(now: now, unwatched: unwatched) {
            context.dispatcher.limits = stall.limits
        }
        let (captured, gaps, flagged, short, superseded) = (
            drain.taken, drain.gaps, drain.flagged, drain.short, drain.superseded
        )
        context.published.update { snapshot in
            snapshot.counters.captured += UInt64(captured)
            snapshot.counters.sequenceGaps += UInt64(gaps)
            snapshot.counters.flagged += UInt64(flagged)
            snapshot.counters.short += UInt64(short)
            snapshot.counters.superseded += UInt64(superseded)
            if captured > 0 { snapshot.rate.count(captured, at: now) }
        }
    }

    /// Offers a frame that the driver flagged as damaged to clients of raw frames; returns its fault if it was offered.
    private func serve(damaged lease: consuming FrameLease) throws(DeviceError) -> SkipReason? {
        let stamp = lease.stamp
        guard context.dispatcher.takesDamaged, !stall.mayPredateHang(stamp),
            try !controls.shutter.refusesFrames(of: device),
            !controls.shutter.hides(stamp)
        else { return nil }
        let wanted = context.dispatcher.offerDamaged(stamp)
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

    private func recordGoodFrame(_ stamp: FrameStamp) {
        if !hasFrame {
            hasFrame = true
            // A stream opened only for a size change is not opened from off.
            let isFromOff = !plan.isFullSize && context.gaps.began == nil
            context.report(.firstFrame(context.clock.now - plan.began, isFromOff: isFromOff), of: plan.number)
        }
        guard !stamp.mayPrecedeStream else { return }
        stall.frameWasGood()
        context.published.goodFrameCame()
        context.alarms?.frameCame(isHidden: controls.shutter.isClosed)
        // Settling begins with the first frame that has a timestamp.
        guard !settling.hasBegun else { return }
        if !plan.isFullSize { context.endGap(at: stall.lastGood) }
        context.report(.firstTimedFrame, of: plan.number)
    }

    func offerLatestFrame(isNew: Bool = false, slept: Duration) throws(DeviceError) {
        guard try !controls.shutter.refusesFrames(of: device), let stamp = visibleStamp else { return }
        let ring = isNew && !plan.isFullSize && !stamp.mayPrecedeStream ? context.ring : nil
        // A frame that is a JPEG picture is in the ring then.
        let ringOptions = ring.flatMap { latest.keep(in: $0, stamp, slept: slept) ? $0.options : nil }
        let wanted = context.dispatcher.offer(stamp, isNew: isNew, slept: slept, ring: ringOptions)
        if let ringOptions, !wanted.contains(ringOptions) { ring?.complete(stamp.key, nil) }
        guard !wanted.isEmpty, let frame = latest.share(device) else { return }
        // A short copy is cheaper than waking another thread.
        for options in wanted { context.encoder.encode(frame, as: options, mayCopyHere: true) }
    }

    /// Stamp of the newest frame of a stream; nil if it was exposed before the shutter opened.
    var visibleStamp: FrameStamp? { latest.stamp.flatMap { controls.shutter.hides($0) ? nil : $0 } }

    /// The held frame, made shareable; nil if it is not newer than `key` or must not be shown.
    func sharedFrame(after key: FrameKey?) -> Frame? {
        guard let stamp = visibleStamp else { return nil }
        return key.map { $0 < stamp.key } ?? true ? latest.share(device) : nil
    }
}

extension OpenCamera {
    /// Skips full-size frames, which are for one still, and the first without timestamps, which may hold anything.
    func sampleForMotion() {
        guard let motion = context.motion, motion.isDue, settling.hasBegun, !plan.isFullSize,
            !controls.shutter.isClosed, let frame = sharedFrame(after: sampled)
        else { return }
        sampled = frame.key
        motion.begin()
        context.encoder.threads.submit(for: frame) { motion.finish($0.motionSample(of: frame), of: frame) }
    }

    func judgeForAlarms() {
        guard context.alarms != nil, !controls.shutter.isClosed, let stamp = visibleStamp else { return }
        context.encoder.judge(stamp.key, after: AlarmWatch.idleInterval) { sharedFrame(after: nil) }
    }
}
