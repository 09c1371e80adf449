// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

extension CaptureSession {
    /// Does what the events of the camera's thread ask for.
    func hear(_ events: [CameraEvent]) async {
        // Of a stream that has ended meanwhile nothing matters any more.
        for event in events where event.stream == phase.stream?.number {
            switch event.what {
            case .firstFrame(let moment, let isFromOff): recordFirstFrame(at: moment, isFromOff: isFromOff)
            case .firstTimedFrame: recordRecovery()
            case .settling(let isAwaited): showSettling(isAwaited: isAwaited)
            case .failed(let error, let keepsDemands): interrupt(error, keepsDemands: keepsDemands)
            case .sourceChanged where event.stream == nil:
                logger.debug("the source has changed")
                attempt(at: recovery.sourceChanged(now: clock.now))
            case .sourceChanged:
                logger.notice("the source has changed")
                enter(.sourceChanges(reopensAt: recovery.sourceChanged(now: clock.now)))
            case .suspended(let slept): await reopen(after: slept)
            }
        }
    }

    /// The machine was suspended, and the device was closed for it: opens it again.
    private func reopen(after slept: Duration) async {
        sleptBefore = clock.suspended()
        recovery.suspended(now: clock.now)
        logger.notice(
            "the machine was suspended; opening the camera again",
            metadata: ["bus": hub.bus, "slept": "\(HumanDuration.text(slept))"]
        )
        hub.count { $0.interrupted += 1 }
        await openDevice(keepsDemands: true)
    }

    /// After a suspend, a camera that the bus is still finding again is worth an attempt at once, and then more.
    ///
    /// The thread of one that is open tells of it (``DeviceSide``), unless work that it had before its turn has lost the
    /// device: then only the session knows that the ring holds pictures from before.
    func retryAfterSuspend() {
        let total = clock.suspended()
        defer { sleptBefore = total }
        guard total - sleptBefore > FrameHub.nap else { return }
        attempt(at: clock.now)
        recovery.beginAgain()
        ring?.clear()
    }

    /// A good frame of this stream has come: the trouble is over.
    private func recordRecovery() {
        hub.update { $0.failure = nil }
        guard let outage = recovery.goodFrameCame() else { return }
        logger.log(
            level: recovery.flapping.reason == nil ? .notice : .debug,
            "the camera is back",
            metadata: [
                "after": "\(HumanDuration.text(clock.now - outage.began))",
                "bus": hub.bus,
                "failures": "\(outage.failures)",
                "state": "\(state.name.rawValue)",
                MessageID.key: "\(MessageID.cameraBack)",
            ]
        )
        guard outage.brokeStream, let problem = recovery.flapping.cameBack(name, now: clock.now) else { return }
        logger.warning(
            "\(problem.detail)",
            metadata: [
                "bus": hub.bus, "code": "\(problem.code.rawValue)", "state": "\(state.name.rawValue)",
                MessageID.key: "\(MessageID.cameraUnsteady)",
            ]
        )
        publishState()
    }

    /// What the session is doing, for everybody else: a camera whose stream breaks off again and again is degraded, also
    /// in the short breaks.
    var state: SessionState {
        guard let reason = recovery.flapping.reason else { return phase.state(by: clock) }
        return switch phase {
        case .opening, .streaming, .reopening: .degraded(reason: reason)
        case .interrupted where recovery.outage?.isShort ?? true: .degraded(reason: reason)
        case .off, .interrupted, .failed, .ended: phase.state(by: clock)
        }
    }

    /// The stream that broke off again and again has lasted for long enough.
    func endFlappingIfDue() {
        guard recovery.flapping.expire(now: clock.now) else { return }
        logger.notice("the stream lasts again", metadata: ["bus": hub.bus])
        publishState()
    }
}

extension FrameHub {
    /// Where the camera is attached, as its driver said when it was last open; for the log.
    var bus: Logger.MetadataValue { "\(snapshot.identity?.busInfo ?? "unknown")" }
}

extension CaptureSession {
    /// Tells the session that a device has come, gone or changed: if it waits for its next attempt, it makes it at once.
    ///
    /// Any thread; never blocks. Opens no camera that is not wanted, and leaves one that is open alone.
    package nonisolated func retryNow() {
        context.inbox.askForRetry()
    }

    /// Makes the next attempt due, and those after it as soon as after a first failure, if that was asked for.
    func attempt(ifAsked isAsked: Bool) {
        guard isAsked, phase.interruption != nil else { return }
        recovery.beginAgain()
        attempt(at: clock.now)
    }
}
