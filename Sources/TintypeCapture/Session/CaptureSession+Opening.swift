// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// Opens, configures and starts the device, from zero; a stream that runs is closed for it.
    ///
    /// - Parameters:
    ///   - keepsDemands: whether waiting clients are left waiting if it fails.
    ///   - isFullSize: whether it is opened at its largest size, for clients that want that.
    /// - Returns: why it failed, if it did.
    @discardableResult
    func openDevice(keepsDemands: Bool = false, isFullSize: Bool = false) -> DeviceError? {
        let began = MonotonicTime.now()
        use.opens()
        enter(.opens)
        do throws(DeviceError) {
            let stream = try startStream(began, isFullSize: isFullSize)
            hub.update { snapshot in
                snapshot.opening = SessionSnapshot.Opening(began: began, took: .now() - began)
                snapshot.counters.opened += 1
            }
            hub.beginSettling(stream: stream.number, until: MonotonicTime(nanoseconds: .max))
            enter(.streams(stream))
            return nil
        } catch {
            interrupt(error, keepsDemands: keepsDemands)
            return error
        }
    }

    private func startStream(_ began: MonotonicTime, isFullSize: Bool) throws(DeviceError) -> CaptureStream {
        let device = try open(calls)
        do throws(DeviceError) {
            return try startStream(of: device, began, isFullSize: isFullSize)
        } catch {
            device.stop()
            throw error
        }
    }

    private func startStream(
        of device: any CaptureDevice,
        _ began: MonotonicTime,
        isFullSize: Bool
    ) throws(DeviceError) -> CaptureStream {
        let negotiation = isFullSize ? try negotiateLargest(device) : try negotiate(device, configuration)
        let granted = negotiation.granted
        let converter: SharedConverter?
        switch try device.makeConverter(for: granted) {
        case .some(let made): converter = SharedConverter(made)
        case .none: converter = nil
        }
        try keepControls(of: device)
        let exposure = device.exposureTime()
        (device.clock.lead, device.clock.exposure) = (configuration.lead, exposure)
        let emptiedAt = MonotonicTime.now()
        let buffers = try device.start()
        try keepControls(of: device)
        try readShutter(of: device, isNew: true)
        quirks.begin(with: device.identity)
        streamCount += 1
        let stream = CaptureStream(
            streamCount,
            of: device,
            began: began,
            granted: granted,
            isFullSize: isFullSize,
            newest: NewestFrame(
                stream: streamCount,
                layout: granted.layout,
                converter: converter,
                quirks: quirks,
                copiesAtOnce: buffers < wantedBuffers || device.overwritesLentBuffers
            ),
            progress: StreamProgress(emptiedAt: emptiedAt),
            stall: StallRule(interval: granted.format.interval?.duration, exposure: exposure, now: .now())
        )
        hub.set(isFullSize ? .largest : .usual)
        if isFullSize, let gapBegan { hub.recordGap(since: gapBegan, stream: streamCount) }
        thread.watch(device.descriptor)
        // A cold camera is opened for each picture.
        logger.log(
            level: configuration.warmth == .cold ? .debug : .info,
            "the camera is streaming",
            metadata: ["format": "\(granted.format)", "asked": "\(negotiation.asked)", "buffers": "\(buffers)"]
        )
        publish(negotiation, of: device.identity)
        let limit = stream.stall.limit
        hub.update { $0.stallLimit = limit }
        return stream
    }

    /// Ends a stream and closes its device: no frame of it is given any more, but those that clients have already.
    func end(_ stream: CaptureStream) {
        thread.watch(-1)
        if let tracker = stream.settling.tracker, tracker.hasSeenFirst, !tracker.isSettled {
            hub.updateWarmth { $0.settling.addFailure() }
        }
        hub.forgetFrames()
        stream.close()
    }

    /// Closes the device after a failure and plans the next attempt.
    ///
    /// Waiting clients are told at once, except where the camera may well be back soon: they have a deadline of their
    /// own.
    func interrupt(_ error: DeviceError, keepsDemands: Bool = false) {
        let now = MonotonicTime.now()
        let plan = recovery.plan(
            after: error,
            brokeStream: phase.stream != nil,
            isJustMade: isJustMade(error),
            now: now
        )
        hub.count { $0.interrupted += 1 }
        logger.log(
            level: plan.isNew ? .warning : .debug,
            "\(plan.reason.detail)",
            metadata: ["bus": hub.bus, "code": "\(plan.reason.code.rawValue)"]
        )
        let isWaitedFor = keepsDemands || plan.keepsWaiting
        enter(
            .fails(
                Interruption(reason: plan.reason, since: now, nextAttempt: now + plan.delay),
                isRetried: use.keepsOpen(configuration.warmth) || isWaitedFor && hub.isAwaited
            )
        )
        if !isWaitedFor { hub.fail(plan.reason) }
    }

    /// Whether the node was made within the last 5 s, so that udev may not have set its group yet (udev(7)).
    private func isJustMade(_ error: DeviceError) -> Bool {
        guard case .denied(let path) = error else { return false }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        let changed = Int64(status.st_ctim.tv_sec) * 1_000_000 + Int64(status.st_ctim.tv_nsec) / 1000
        return Self.isJustMade(changed: changed, now: Timestamp.now().microseconds)
    }

    /// Whether a node was just made that was last changed at this time, in microseconds; one from a time to come, as a
    /// clock that was set back leaves them, was not.
    static func isJustMade(changed: Int64, now: Int64) -> Bool { (0..<5_000_000).contains(now - changed) }
}
