// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// Opens, configures and starts the device, from zero.
    ///
    /// - Parameters:
    ///   - keepsDemands: whether waiting clients are left waiting if it fails.
    ///   - atLargest: whether it is opened at its largest size, for clients that want that.
    /// - Returns: why it failed, if it did.
    @discardableResult
    func openDevice(keepsDemands: Bool = false, atLargest: Bool = false) -> DeviceError? {
        let began = MonotonicTime.now()
        (excursion.isOut, excursion.began, excursion.isStreamLargest) = (atLargest, began, nil)
        isStopped = false
        enter(.opening)
        do throws(DeviceError) {
            try openAndStart()
            nextAttempt = nil
            interruptedSince = nil
            lastArrival = .now()
            lastGood = lastArrival
            hub.update { snapshot in
                snapshot.opening = SessionSnapshot.Opening(began: began, took: .now() - began)
                snapshot.counters.opened += 1
            }
            forgetSettling()
            enter(.settling)
            return nil
        } catch {
            interrupt(error, keepsDemands: keepsDemands)
            return error
        }
    }

    private func openAndStart() throws(DeviceError) {
        let device = try open(calls)
        self.device = device
        let negotiation = excursion.isOut ? try negotiateLargest(device) : try negotiate(device, configuration)
        let granted = negotiation.granted
        switch try device.makeConverter(for: granted) {
        case .some(let made): converter = SharedConverter(made)
        case .none: converter = nil
        }
        try keepControls(of: device)
        let exposure = device.exposureTime()
        (device.clock.lead, device.clock.exposure) = (configuration.lead, exposure)
        emptiedAt = .now()
        let buffers = try device.start()
        try keepControls(of: device)
        try lookAtShutter(of: device, isNew: true)
        self.granted = granted
        quirks.begin(with: device.identity)
        stallLimit = Self.stallLimit(granted.format.interval?.duration, exposure: exposure)
        stream += 1
        hub.set(excursion.isOut ? .largest : .usual)
        if excursion.isOut, let began = excursion.gapBegan { hub.noteGap(since: began, stream: stream) }
        taken = 0
        hasFewBuffers = buffers < wantedBuffers
        thread.watch(device.descriptor)
        // A cold camera is opened for each picture.
        logger.log(
            level: configuration.warmth == .cold ? .debug : .info,
            "the camera is streaming",
            metadata: ["format": "\(granted.format)", "asked": "\(negotiation.asked)", "buffers": "\(buffers)"]
        )
        publish(negotiation, of: device.identity)
        hub.update { [stallLimit] in $0.stallLimit = stallLimit }
    }

    /// Closes the device, its descriptor first of all: what is held of it ends with its leases.
    func closeDevice() {
        thread.watch(-1)
        held = nil
        shared = nil
        converter = nil
        granted = nil
        hub.forgetFrames()
        controlState.forgetDevice()
        // They hold the device, and with it its descriptor.
        settleWork.controls = .unknown
        guard let device else { return }
        device.stop()
        self.device = nil
    }

    /// Closes the device after a failure and plans the next attempt.
    ///
    /// Waiting clients are told at once, except where the camera may well be back soon: they have a deadline of their
    /// own.
    func interrupt(_ error: DeviceError, keepsDemands: Bool = false) {
        let wasStreaming = granted != nil
        closeDevice()
        let isNotReadyYet = isJustMade(error)
        let signal = signalRetry(after: error)
        let delay = signal?.delay ?? (isNotReadyYet ? RetrySchedule.untilReady : retry.next())
        let keepsDemands = keepsDemands || signal?.keepsDemands ?? false
        let problem = isNotReadyYet ? Self.notReadyYet(error.problem) : error.problem
        interruptedSince = .now()
        nextAttempt = .now() + delay
        hub.count { $0.interrupted += 1 }
        // A node that udev has not been at yet is no trouble, only early.
        if isNotReadyYet { logger.debug("\(problem.detail)", metadata: ["code": "\(problem.code.rawValue)"]) }
        let isLikelyBackSoon = isNotReadyYet || noteFailure(error, problem, ofStream: wasStreaming)
        lastReason = problem
        if !keepsDemands && !isLikelyBackSoon { hub.fail(problem) }
        if isWanted {
            let now = Timestamp.now()
            enter(.interrupted(reason: problem, since: now, nextAttempt: now + delay))
        } else {
            enter(.failed(reason: problem))
        }
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

    /// Publishes a state and logs it.
    func enter(_ state: SessionState) {
        let before = self.state.name
        self.state = state
        hub.update { $0.state = state }
        // A client that closes the camera expects that no picture of it is kept.
        if [.off, .failed].contains(state.name) {
            ring?.clear()
            excursion.isOut = false
            endGap(at: .now())
        }
        guard before != state.name else { return }
        logger.debug("the state has changed", metadata: ["from": "\(before.rawValue)", "to": "\(state.name.rawValue)"])
    }
}
