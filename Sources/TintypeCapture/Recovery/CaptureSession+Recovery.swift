// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

extension CaptureSession {
    func hear(_ events: [CameraEvent]) async {
        // Ignore events of a stream that has ended.
        for event in events where event.stream == phase.stream?.number {
            switch event.what {
            case .firstFrame(let moment, let isFromOff): recordFirstFrame(at: moment, isFromOff: isFromOff)
            case .firstTimedFrame: recordRecovery()
            case .settling(let isAwaited): showSettling(isAwaited: isAwaited)
            case .failed(let error): interrupt(error)
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

    private func reopen(after slept: Duration) async {
        sleptBefore = clock.suspended()
        recovery.suspended(now: clock.now)
        logger.notice(
            "the machine was suspended; opening the camera again",
            metadata: ["bus": published.bus, "slept": "\(HumanDuration.text(slept))"]
        )
        published.count { $0.interrupted += 1 }
        await openDevice(keepsDemands: true)
    }

    /// Schedules an immediate retry, then frequent ones, after a suspend: the bus may still be enumerating the camera.
    ///
    /// The thread of an open camera reports a suspend itself (``CameraWorker``), unless work before its turn has lost the
    /// device. Then only the session knows that the ring holds pictures from before the suspend.
    func retryAfterSuspend() {
        let total = clock.suspended()
        defer { sleptBefore = total }
        guard total - sleptBefore > FrameDispatcher.nap else { return }
        attempt(at: clock.now)
        recovery.beginAgain()
        ring?.clear()
    }

    /// Ends the outage after a good frame of this stream.
    private func recordRecovery() {
        published.update { $0.failure = nil }
        guard let outage = recovery.goodFrameCame() else { return }
        logger.log(
            level: recovery.flapping.reason == nil ? .notice : .debug,
            "the camera is back",
            metadata: [
                "after": "\(HumanDuration.text(clock.now - outage.began))",
                "bus": published.bus,
                "failures": "\(outage.failures)",
                "state": "\(state.name.rawValue)",
                MessageID.key: "\(MessageID.cameraBack)",
            ]
        )
        guard outage.brokeStream, let problem = recovery.flapping.cameBack(name, now: clock.now) else { return }
        logger.warning(
            "\(problem.detail)",
            metadata: [
                "bus": published.bus, "code": "\(problem.code.rawValue)", "state": "\(state.name.rawValue)",
                MessageID.key: "\(MessageID.cameraUnsteady)",
            ]
        )
        publishState()
    }

    /// Published state of the session: a camera whose stream breaks repeatedly is degraded, even during short breaks.
    var state: SessionState {
        guard let reason = recovery.flapping.reason else { return phase.state(by: clock) }
        return switch phase {
        case .opening, .streaming, .reopening: .degraded(reason: reason)
        case .interrupted where recovery.outage?.isShort ?? true: .degraded(reason: reason)
        case .off, .interrupted, .failed, .ended: phase.state(by: clock)
        }
    }

    func endFlappingIfDue() {
        guard recovery.flapping.expire(now: clock.now) else { return }
        logger.notice("the stream is stable again", metadata: ["bus": published.bus])
        publishState()
    }

    /// Triggers the pending retry of a wanted camera, because a device was added, removed or changed; any thread.
    package nonisolated func retryNow() { context.mailbox.askForRetry() }

    /// Makes the next attempt due and resets the retry schedule, if a retry was requested.
    func attempt(ifAsked isAsked: Bool) {
        guard isAsked, phase.interruption != nil else { return }
        recovery.beginAgain()
        attempt(at: clock.now)
    }
}
