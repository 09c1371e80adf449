// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel

struct OpeningPlan: Sendable {
    /// Number of the stream.
    let number: UInt64
    let began: MonotonicTime
    let configuration: SessionConfiguration
    let wishes: ControlSettings
    /// True if the device stays open without clients, so watching its controls is worthwhile.
    let staysOpen: Bool
    /// True if warmth, a start or a hold keeps the camera open: a device without signal is then kept open, too.
    let isRetried: Bool
    let isFullSize: Bool
    let firstFrameLimit: Duration
}

/// A streaming device and its per-stream state, on the camera's thread; deinitialisation stops and closes it, but
/// outstanding leases stay readable until they end.
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
    private let interval: Duration?

    /// Negotiates, sets the controls, starts the stream and publishes it.
    init(
        _ device: any CaptureDevice,
        _ plan: OpeningPlan,
        _ shutter: PrivacyShutter,
        _ context: CameraContext
    ) throws(DeviceError) {
        let negotiation = try Negotiation(device, plan.configuration, largest: plan.isFullSize)
        let granted = negotiation.granted
        let converter: SharedConverter?
        switch try device.makeConverter(for: granted) {
        case .some(let made): converter = SharedConverter(made)
        case .none: converter = nil
        }
        let controls = ControlWatch(of: device, shutter, context)
        try controls.keep(plan.wishes)
        let exposure = device.exposureTime()
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
            stream: plan.number,
            layout: granted.layout,
            converter: converter,
            faults: context.knownFaults,
            copiesAtOnce: buffers < wantedBuffers || device.overwritesLentBuffers
        )
        interval = granted.format.interval?.duration
        settling = ExposureSettling(of: device, stream: plan.number, interval: interval ?? .zero, context)
        let now = context.clock.now
        stall = StallRule(interval: interval, exposure: exposure, firstFrameLimit: plan.firstFrameLimit, now: now)
        // A cold camera is opened for each picture, so this would fill the log.
        context.logger.log(
            level: plan.configuration.warmth == .cold ? .debug : .info,
            "the camera is streaming",
            metadata: ["format": "\(granted.format)", "asked": "\(negotiation.asked)", "buffers": "\(buffers)"]
        )
        context.publish(negotiation, of: device.identity)
        if plan.isFullSize { context.gaps.register(stream: plan.number) }
        let limit = stall.limit
        let opening = SessionSnapshot.Opening(began: plan.began, took: context.clock.now - plan.began)
        context.published.update { snapshot in
            snapshot.stallLimit = limit
            snapshot.opening = opening
            snapshot.counters.opened += 1
        }
        context.dispatcher.change { state in
            (state.isUsualSize, state.isLargestSize) = (!plan.isFullSize, negotiation.isLargest)
            (state.opening, state.stallLimit) = (opening, limit)
            state.settling.begin(stream: plan.number, until: MonotonicTime(nanoseconds: .max))
        }
    }

    deinit {
        // Drop a frame without clients before the driver's memory goes: it would be copied otherwise.
        latest.drop()
        device.stop()
    }

    /// Time of the next turn if nothing else happens.
    var deadline: MonotonicTime {
        var end = stall.end
        if let watchTime { end = min(end, watchTime) }
        if let limit = context.dispatcher.settlingNeed(at: context.clock.now).limit { end = min(end, limit) }
        return end
    }

    /// Latest time to start watching the controls; nil if they are watched already, before the first good frame, and
    /// while a client waits for settled frames.
    private var watchTime: MonotonicTime? {
        controls.isBegun || settling.isAwaited ? nil : plan.began + ControlWatch.delay
    }

    /// Takes new frames and serves all that wait; `events`: poll(2) result since `asleep`, or 0; `slept`: total suspend
    /// time of the machine.
    ///
    /// Returns false if the source has changed (`V4L2_EVENT_SOURCE_CHANGE`, `V4L2_EVENT_EOS`): nothing of the stream may
    /// be used any more.
    func turn(_ events: Int16, asleepSince asleep: MonotonicTime, slept: Duration) throws(DeviceError) -> Bool {
        guard try pump(events, asleepSince: asleep, slept: slept) else { return false }
        admitWaiting()
        settling.takeAnalysis()
        try offerLatestFrame(slept: slept)
        if !controls.shutter.isClosed { try settling.analyse { sharedFrame(after: $0) } }
        sampleForMotion()
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

    /// Throws if the device stays silent for longer than the limit, or after a run of damaged frames.
    private func checkForStall() throws(DeviceError) {
        // Judge at the time of the last empty queue: a slow call on this thread is not silence of the camera.
        switch stall.finding(now: emptiedAt) {
        case nil: return
        case .damaged: throw .damaged(path: device.identity.path)
        case .silent:
            if stall.allow(interval: interval, exposure: device.exposureTime()) {
                let limit = stall.limit
                context.published.update { $0.stallLimit = limit }
                context.dispatcher.state.withLock { $0.stallLimit = limit }
            }
            guard stall.finding(now: emptiedAt) == .silent else { return }
            throw .silent(path: device.identity.path, isFirst: stall.awaitsFirstFrame)
        }
    }

    /// Samples the held frame for motion if a sample is due, but no full-size frame, which is for one still, and none
    /// of the first frames without timestamps, which may hold anything.
    private func sampleForMotion() {
        guard let motion = context.motion, motion.isDue, settling.hasBegun, !plan.isFullSize,
            !controls.shutter.isClosed, let frame = sharedFrame(after: sampled)
        else { return }
        sampled = frame.key
        motion.begin()
        context.encoder.threads.sample(frame) { motion.finish($0, of: frame) }
    }
}
