// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Decides when a camera is opened and closed, and recovers it after a failure.
///
/// An actor with one task that runs turn after turn and awaits the camera's thread. It makes no driver calls itself
/// (``CameraWorker`` does) and never blocks. Commands are answered by a ``Reply``; everything else is published.
actor SessionLoop {
    let context: CameraContext
    let thread: CameraThread<CameraWorker>
    var configuration: SessionConfiguration
    /// Current phase; published as ``SessionSnapshot/state``.
    var phase = Phase.off
    var use = CameraUse()
    var recovery = Recovery()
    var controls: ControlState
    private var streamCount: UInt64 = 0
    /// Total suspend time of the machine at the last check.
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

    // MARK: - Turns

    /// Time of the next turn without events; nil for never.
    struct NextTurn { let moment: MonotonicTime? }

    /// One turn of the session; nil after its end.
    func turn() async -> NextTurn? {
        // Before the events: they include the failure that the retry is for.
        let isRetryAsked = context.mailbox.takeRetry()
        await handle(context.mailbox.takeEvents())
        retryAfterSuspend()
        if recovery.flapping.expire(now: context.clock.now) {
            context.logger.notice("the stream is stable again", metadata: ["bus": context.published.bus])
            publishState()
        }
        if isRetryAsked, phase.interruption != nil { retrySoon() }
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
        case .openAtLargest(let othersWait): await openAtLargest(othersWait: othersWait)
        case .interruptForLargest: await interruptForLargest()
        case .returnToUsual(let problem): await returnToUsual(problem)
        case .refuseLargest(let problem): failLargest(problem.problem(of: context.name))
        case .close: await closeIfIdle()
        case .giveUp:
            // The device is open if its signal was awaited.
            _ = await thread.run { $0.close() }
            enter(.givesUp)
        }
    }

    /// Runs `body` on the camera's thread and returns its result, however long the driver takes.
    func onThread<R: Sendable>(
        _ body: @escaping @Sendable (CameraWorker) throws(DeviceError) -> R
    ) async throws(DeviceError) -> R {
        do throws(ResourceError) { try thread.start() } catch { throw DeviceError(error, path: context.name) }
        let result = await thread.run { worker in Result { () throws(DeviceError) in try body(worker) } }
        guard let result else { throw .absent(path: context.name) }
        do throws(DeviceError) {
            return try result.get()
        } catch {
            throw error.naming(besides: context.name)
        }
    }

    /// Waits for the camera's thread to finish its queued work, and handles its events; returns true if the client
    /// still waits: a driver call may have hung for longer.
    func catchUp<Value>(for reply: Reply<Value>) async -> Bool {
        _ = await thread.run { _ in }
        await handle(context.mailbox.takeEvents())
        return reply.isAwaited
    }

    // MARK: - Opening and closing

    /// Opens, configures and starts the device, closing the current stream first; on failure returns the error, and
    /// fails waiting clients unless `keepsClients`.
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
            isFullSize: isFullSize,
            firstFrameLimit: recovery.firstFrame.limit
        )
        do throws(DeviceError) {
            let negotiation = try await onThread { (worker) throws(DeviceError) in try worker.open(plan) }
            streamCount = plan.number
            let stream = CaptureStream(
                number: plan.number,
                began: plan.began,
                format: negotiation.granted.format,
                isLargest: negotiation.isLargest,
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

    /// Plans the next attempt after the device has failed, or could not be opened; `awaitsSignal`: it is still open.
    ///
    /// Waiting clients fail at once, unless the camera is likely back before their deadlines; live streams that have
    /// begun wait until theirs.
    func interrupt(_ error: DeviceError, keepsClients: Bool = false, awaitsSignal: Bool = false) {
        let now = context.clock.now
        let plan = recovery.plan(
            after: error,
            brokeStream: phase.stream != nil,
            isJustMade: Recovery.isJustMade(error, now: context.clock.wall),
            awaitsSignal: awaitsSignal,
            now: now
        )
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

    func close() async {
        _ = await thread.run { $0.close() }
        await closed()
    }

    /// Closes the device if it has been idle for long enough, and no client has come meanwhile.
    func closeIfIdle() async {
        if rule.step == .close, await thread.run({ $0.closeIfUnused() }) == true { await closed() }
    }

    private func closed() async {
        // Ignore all other events of the stream that has just ended.
        await handle(context.mailbox.takeEvents().filter(\.isProgress))
        enter(.closes)
    }

    /// Closes the device, and ends the camera's thread.
    func end() async {
        _ = await thread.run { $0.close() }
        enter(.ends)
        thread.stop()
    }

    // MARK: - Phases

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
        context.logger.debug(
            "the state has changed",
            metadata: ["from": "\(before.rawValue)", "to": "\(state.name.rawValue)"]
        )
    }
}
