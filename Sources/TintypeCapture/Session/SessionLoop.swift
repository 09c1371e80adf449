// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Decides when a camera is opened and closed. One task runs turn after turn; it awaits the camera's thread, makes no
/// driver call itself and never blocks.
actor SessionLoop {
    let context: CameraContext
    let thread: CameraThread<CameraWorker>
    var configuration: SessionConfiguration
    var phase = Phase.off
    var use = CameraUse()
    var recovery = Recovery()
    var controls: ControlState
    private var streamCount: UInt64 = 0
    var sleptBefore: Duration

    init(_ context: CameraContext, _ thread: CameraThread<CameraWorker>, _ configuration: SessionConfiguration) {
        (self.context, self.thread, self.configuration) = (context, thread, configuration)
        controls = ControlState(configured: configuration.controls)
        sleptBefore = context.clock.suspended()
    }

    // The owner ends a used session before releasing it; this is for one that was never used.
    deinit {
        thread.stop()
        context.mailbox.waker.wake()
    }

    /// Time of the next turn without events; nil for never.
    struct NextTurn { let moment: MonotonicTime? }

    /// One turn of the session; nil after its end.
    func turn() async -> NextTurn? {
        // Before the events: they include the failure that the retry is for.
        let isRetryAsked = context.mailbox.takeRetry()
        await handle(context.mailbox.takeEvents())
        // The camera's thread reports a suspend itself, unless it has lost the device: then only the session clears the
        // ring.
        let total = context.clock.suspended()
        let hasSlept = total - exchange(&sleptBefore, with: total) > FrameDispatcher.nap
        if hasSlept { context.ring?.clear() }
        // After a suspend the bus may still be enumerating the camera.
        if hasSlept || isRetryAsked && phase.interruption != nil {
            recovery.beginAgain()
            phase.interruption?.nextAttempt = context.clock.now
        }
        if recovery.flapping.expire(now: context.clock.now) {
            context.logger.notice("the stream is stable again", metadata: ["bus": context.published.bus])
            publishState()
        }
        // After the end the closed dispatcher answers commands; none may reopen the device.
        for command in context.mailbox.takeCommands() where !phase.hasEnded { await command.run(self) }
        guard !phase.hasEnded else { return nil }
        let expired = use.holds.expire(at: context.clock.now)
        if !expired.isEmpty {
            context.logger.info("holds have expired", metadata: ["owners": "\(expired.map(\.owner))"])
            publishWarmth(holdsEnded: true)
        }
        if let step = rule.step {
            await take(step)
            context.mailbox.waker.wake()
        }
        guard !phase.hasEnded else { return nil }
        // Before computing the next wake-up, early enough for clients that arrived meanwhile.
        let outlastsClients = rule.outlastsClients
        context.dispatcher.state.withLock { $0.outlastsClients = outlastsClients }
        return NextTurn(moment: [rule.nextWake, recovery.flapping.end, use.holds.nextEnd].compactMap(\.self).min())
    }

    var rule: SessionRule {
        let (need, lastUse) = context.dispatcher.state.withLock { ($0.need, $0.use.last) }
        return SessionRule(
            phase: phase,
            use: use,
            warmth: configuration.warmth,
            allowsGap: configuration.allowsGap,
            need: need,
            lastUse: lastUse,
            now: context.clock.now
        )
    }

    private func take(_ step: SessionRule.Step) async {
        switch step {
        case .open: await openDevice()
        case .reopen: await openDevice(keepsClients: true)
        case .openAtLargest(let othersWait):
            let error = await openDevice(keepsClients: othersWait, isFullSize: true)
            if let error, othersWait { context.failLargest(error.problem) }
        case .interruptForLargest:
            do throws(Problem) {
                if let size = phase.stream?.largestSize { try context.look?.check(size) }
            } catch {
                return context.failLargest(error)
            }
            // Otherwise a burst has begun meanwhile, or the device has failed: the next turn decides again.
            guard await thread.run({ $0.closeForGap() }) == true else { return }
            context.logger.info("interrupting the stream for a still of the largest size")
            guard let error = await openDevice(keepsClients: true, isFullSize: true) else { return }
            context.failLargest(error.problem)
            await returnToUsual(nil)
        case .returnToUsual(let problem): await returnToUsual(problem)
        case .refuseLargest(let problem): context.failLargest(problem.problem(of: context.name))
        case .close: await close(ifIdle: true)
        case .giveUp:
            // The device is open if its signal was awaited.
            _ = await thread.run { $0.close() }
            enter(.givesUp)
        }
    }

    /// Returns to the usual size, or closes the device if it was opened for the largest alone.
    private func returnToUsual(_ problem: FullSizeProblem?) async {
        if let problem { context.failLargest(problem.problem(of: context.name)) }
        if context.gaps.began != nil || rule.isWanted {
            await openDevice(keepsClients: true)
        } else {
            await close()
        }
    }

    /// Opens and starts the device, closing the current stream first; fails the clients unless `keepsClients`.
    @discardableResult
    func openDevice(keepsClients: Bool = false, isFullSize: Bool = false) async -> DeviceError? {
        use.opens()
        // Only this: holds and starts are published once the device is open.
        context.published.updateWarmth { $0.use.opens() }
        enter(.opens)
        let keepsOpen = use.keepsOpen(configuration.warmth)
        let plan = OpeningPlan(
            number: streamCount + 1,
            began: context.clock.now,
            configuration: configuration,
            wishes: controls.wishes,
            staysOpen: !isFullSize && (keepsOpen || configuration.warmth != .cold),
            isRetried: keepsOpen,
            isFullSize: isFullSize
        )
        do throws(DeviceError) {
            let negotiation = try await onThread { (worker) throws(DeviceError) in try worker.open(plan) }
            streamCount = plan.number
            let stream = CaptureStream(
                number: plan.number,
                began: plan.began,
                format: negotiation.granted.format,
                largestSize: negotiation.largestSize,
                isFullSize: isFullSize
            )
            enter(.streams(stream))
            return nil
        } catch {
            let awaitsSignal = plan.isRetried ? await thread.run { $0.awaitsSignal } : nil
            interrupt(error, keepsClients: keepsClients, awaitsSignal: awaitsSignal ?? false)
            return error
        }
    }

    /// Plans the next attempt after a failure; `awaitsSignal`: the device is still open; waiting clients fail, unless
    /// the camera is likely back before their deadlines; live streams that have begun wait until theirs.
    func interrupt(_ error: DeviceError, keepsClients: Bool = false, awaitsSignal: Bool = false) {
        let now = context.clock.now
        let plan = recovery.plan(
            after: error,
            brokeStream: phase.stream != nil,
            isJustMade: Recovery.isJustMade(error, now: context.clock.wall),
            awaitsSignal: awaitsSignal,
            now: now
        )
        if phase.stream?.hasGivenFrame != true, recovery.openingFailed(error) {
            context.failedOpenings.continuation.yield(recovery.failedOpenings)
        }
        context.published.update { snapshot in
            snapshot.counters.interrupted += 1
            snapshot.failure = SessionSnapshot.Failure(reason: plan.reason, at: now)
        }
        let (areKept, need) = (keepsClients || plan.keepsWaiting, context.dispatcher.need)
        let isAwaited = areKept ? need.isAwaited : need.isAwaitedThroughFailure
        let interruption = Interruption(
            reason: plan.reason,
            since: recovery.outageBegan(by: context.clock),
            nextAttempt: now + plan.delay,
            earliest: now + plan.earliest
        )
        enter(.fails(interruption, isRetried: use.keepsOpen(configuration.warmth) || isAwaited))
        context.log(plan.reason, .cameraLost, plan.isNew ? .warning : .debug, in: state.name)
        if !areKept { context.dispatcher.change { $0.subscribers.fail(plan.reason) } }
    }

    /// Closes the device; `ifIdle`: only if it has been idle for long enough, and no client has come meanwhile.
    func close(ifIdle: Bool = false) async {
        if ifIdle {
            guard rule.step == .close, await thread.run({ $0.closeIfUnused() }) == true else { return }
        } else {
            _ = await thread.run { $0.close() }
        }
        // Ignore all other events of the stream that has just ended.
        await handle(context.mailbox.takeEvents().filter(\.isProgress))
        enter(.closes)
    }

    /// The only place where phases change: enters the phase after `event`, publishes it and ends what the old one had.
    func enter(_ event: Phase.Event) {
        guard let next = phase.after(event) else {
            assertionFailure("the event \(event) in the phase \(phase.name)")
            return context.logger.error("unexpected event", metadata: ["phase": "\(phase.name)"])
        }
        phase = next
        publishState()
        // A client that closes the camera expects that no picture of it is kept.
        let name = phase.state(by: context.clock).name
        if [.off, .failed].contains(name) {
            context.ring?.clear()
            context.endGap(at: context.clock.now)
        }
        if [.off, .failed, .interrupted].contains(name) { context.motion?.end() }
        context.alarms?.enter(name)
    }

    /// Published state of the session: a camera whose stream breaks repeatedly is degraded, even during short breaks.
    var state: SessionState {
        let state = phase.state(by: context.clock)
        guard let reason = recovery.flapping.reason else { return state }
        return switch phase {
        case .opening, .streaming, .reopening: .degraded(reason: reason)
        case .interrupted where recovery.outage?.isShort ?? true: .degraded(reason: reason)
        case .off, .interrupted, .failed, .ended: state
        }
    }

    func publishState() {
        let (before, state) = (context.published.snapshot.state.name, state)
        context.published.enter(state)
        guard before != state.name else { return }
        let names: Logger.Metadata = ["from": "\(before.rawValue)", "to": "\(state.name.rawValue)"]
        context.logger.debug("the state has changed", metadata: names)
    }

    // MARK: - Events of the camera's thread

    func handle(_ events: [CameraEvent]) async {
        // Ignore events of a stream that has ended.
        for event in events where event.stream == phase.stream?.number {
            switch event.what {
            case .firstFrame(let latency, let isFromOff):
                phase.stream?.hasGivenFrame = true
                if isFromOff { context.published.updateWarmth { $0.fromOff.add(latency) } }
            case .firstTimedFrame: recordRecovery()
            case .settling(let isAwaited):
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

    private func recordRecovery() {
        context.published.update { $0.failure = nil }
        if recovery.failedOpenings > 0 { context.failedOpenings.continuation.yield(0) }
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
        if outage.brokeStream, let problem = recovery.flapping.cameBack(context.name, now: context.clock.now) {
            context.log(problem, .cameraUnsteady, .warning, in: state.name)
            publishState()
        }
    }
}
