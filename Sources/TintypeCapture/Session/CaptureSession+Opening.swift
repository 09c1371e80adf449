// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// Opens, configures and starts the device, from zero.
    ///
    /// - Parameter keepsDemands: whether those who wait are left waiting if it fails.
    /// - Returns: why it failed, if it did.
    @discardableResult
    func openDevice(keepsDemands: Bool = false) -> DeviceError? {
        let began = MonotonicTime.now()
        isStopped = false
        enter(.opening)
        do throws(DeviceError) {
            try openAndStart()
            retry.reset()
            nextAttempt = nil
            interruptedSince = nil
            if lastReason != nil { logger.notice("the camera is back") }
            lastReason = nil
            lastArrival = .now()
            hub.update { snapshot in
                snapshot.opening = SessionSnapshot.Opening(began: began, took: .now() - began)
                snapshot.counters.opened += 1
            }
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
        let negotiation = try negotiate(device, configuration)
        let granted = negotiation.granted
        switch try device.makeConverter(for: granted) {
        case .some(let made): converter = SharedConverter(made)
        case .none: converter = nil
        }
        emptiedAt = .now()
        let buffers = try device.start()
        self.granted = granted
        stallLimit = Self.stallLimit(granted.format.interval?.duration)
        stream += 1
        taken = 0
        // v4l2loopback's writer overwrites buffers that a reader still holds.
        copiesAtOnce = buffers < wantedBuffers || device.identity.driver == "v4l2 loopback"
        thread.watch(device.descriptor)
        logger.info(
            "streaming",
            metadata: ["format": "\(granted.format)", "asked": "\(negotiation.asked)", "buffers": "\(buffers)"]
        )
        publish(negotiation, of: device.identity)
        hub.update { [stallLimit] in $0.stallLimit = stallLimit }
    }

    /// Silence for longer than this is a stall: ten frames, and at least 2 s.
    static func stallLimit(_ interval: Duration?) -> Duration { max(.seconds(2), (interval ?? .zero) * 10) }

    /// Closes the device, its descriptor first of all: what is held of it ends with its leases.
    func closeDevice() {
        thread.watch(-1)
        held = nil
        shared = nil
        converter = nil
        granted = nil
        hub.forgetFrames()
        guard let device else { return }
        device.stop()
        self.device = nil
    }

    /// Closes the device after a failure and plans the next attempt.
    ///
    /// Those who wait are told at once, except where the node is only waiting for udev or the stream has fallen silent:
    /// they have a deadline of their own.
    func interrupt(_ error: DeviceError, keepsDemands: Bool = false) {
        closeDevice()
        let isNotReadyYet = isJustMade(error)
        let signal = signalRetry(after: error)
        let delay = signal?.delay ?? (isNotReadyYet ? RetrySchedule.untilReady : retry.next())
        let keepsDemands = keepsDemands || signal?.keepsDemands ?? false
        let problem = isNotReadyYet ? Self.notReadyYet(error.problem) : error.problem
        interruptedSince = .now()
        nextAttempt = .now() + delay
        hub.count { $0.interrupted += 1 }
        if lastReason?.detail != problem.detail && !isNotReadyYet {
            logger.warning("\(problem.detail)", metadata: ["code": "\(problem.code.rawValue)"])
        } else {
            logger.debug("\(problem.detail)", metadata: ["code": "\(problem.code.rawValue)"])
        }
        lastReason = problem
        if !isNotReadyYet && !keepsDemands { hub.fail(problem) }
        if isWanted {
            let now = Timestamp.now()
            let next = Timestamp(microseconds: now.microseconds + delay.nanosecondCount / 1000)
            enter(.interrupted(reason: problem, since: now, nextAttempt: next))
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
        return Timestamp.now().microseconds - changed < 5_000_000
    }

    /// Publishes a state and logs it.
    func enter(_ state: SessionState) {
        let before = self.state.name
        self.state = state
        hub.update { $0.state = state }
        guard before != state.name else { return }
        logger.debug("state", metadata: ["from": "\(before.rawValue)", "to": "\(state.name.rawValue)"])
    }
}
