// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

extension SessionLoop {
    func handle(_ events: [CameraEvent]) async {
        // Ignore events of a stream that has ended.
        for event in events where event.stream == phase.stream?.number {
            switch event.what {
            case .firstFrame(let moment, let isFromOff):
                guard let stream = phase.stream else { continue }
                phase.stream?.hasGivenFrame = true
                let latency = moment - stream.began
                recovery.firstFrame.learn(latency)
                if isFromOff { context.published.updateWarmth { $0.fromOff.add(latency) } }
            case .firstTimedFrame: recordRecovery()
            case .settling(let isAwaited):
                guard phase.stream != nil else { continue }
                phase.stream?.isSettlingAwaited = isAwaited
                publishState()
            case .failed(let error): interrupt(error)
            case .sourceChanged:
                let moment = recovery.sourceChanged(now: context.clock.now)
                context.logger.log(level: event.stream == nil ? .debug : .notice, "the source has changed")
                if event.stream == nil {
                    phase.interruption?.nextAttempt = moment
                } else {
                    enter(.sourceChanges(reopensAt: moment))
                }
            case .suspended(let slept):
                sleptBefore = context.clock.suspended()
                recovery.suspended(now: context.clock.now)
                context.logger.notice(
                    "the machine was suspended; opening the camera again",
                    metadata: ["bus": context.published.bus, "slept": "\(HumanDuration.text(slept))"]
                )
                context.published.count { $0.interrupted += 1 }
                await openDevice(keepsClients: true)
            }
        }
    }

    /// Ends the outage after a good frame of this stream.
    private func recordRecovery() {
        context.published.update { $0.failure = nil }
        guard let outage = recovery.goodFrameCame() else { return }
        context.logger.log(
            level: recovery.flapping.reason == nil ? .notice : .debug,
            "the camera is back",
            metadata: [
                "after": "\(HumanDuration.text(context.clock.now - outage.began))", "bus": context.published.bus,
                "failures": "\(outage.failures)", "state": "\(state.name.rawValue)",
                MessageID.key: "\(MessageID.cameraBack)",
            ]
        )
        guard outage.brokeStream,
            let problem = recovery.flapping.cameBack(context.name, now: context.clock.now)
        else { return }
        context.log(problem, .cameraUnsteady, .warning, in: state.name)
        publishState()
    }

    /// Schedules an immediate retry, then frequent ones, after a suspend: the bus may still be enumerating the camera.
    ///
    /// The thread of an open camera reports a suspend itself (``CameraWorker``), unless work before its turn has lost the
    /// device. Then only the session knows that the ring holds pictures from before the suspend.
    func retryAfterSuspend() {
        let total = context.clock.suspended()
        defer { sleptBefore = total }
        guard total - sleptBefore > FrameDispatcher.nap else { return }
        retrySoon()
        context.ring?.clear()
    }

    /// Makes the next attempt due and resets the retry schedule.
    func retrySoon() {
        recovery.beginAgain()
        phase.interruption?.nextAttempt = context.clock.now
    }

    func publishWarmth(holdsEnded: Bool = false) {
        // A hold counts as use: a lingering camera stays open from its end on.
        if holdsEnded, use.holds.isEmpty { context.dispatcher.lastUse = context.clock.now }
        context.published.updateWarmth { [use] in $0.use = use }
    }
}
