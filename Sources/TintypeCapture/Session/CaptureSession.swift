// SPDX-License-Identifier: Apache-2.0
package import Logging
package import TintypeDevice
package import TintypeModel
package import TintypeSystem

/// Owns one camera: decides when it is opened and closed, and brings it back after a failure.
///
/// An actor with one task, which takes one turn after the other and awaits the camera's thread in it: it never makes a
/// driver call itself (``DeviceSide`` does), and never blocks. Commands are answered by a ``Reply``, everything else is in
/// the hub's snapshot.
package actor CaptureSession {
    /// Opens the device; called on the camera's thread, from zero each time.
    package typealias Opener = @Sendable (DriverCalls) throws(DeviceError) -> sending any CaptureDevice

    /// The JPEG quality of pictures that are compressed here and for which none is asked.
    package nonisolated let quality: Int
    /// What it shares with its camera's thread.
    nonisolated let context: CameraContext
    nonisolated let thread: CameraThread<DeviceSide>

    var configuration: SessionConfiguration
    /// What it is doing; the hub's snapshot says it as well, for everybody else.
    var phase = Phase.off
    /// What keeps the device open though no client waits.
    var use = CameraUse()
    /// What is done about failures.
    var recovery = Recovery()
    var controlState: ControlState
    /// How many streams have been started.
    var streamCount: UInt64 = 0
    /// How long the machine had been suspended when that was last looked at.
    var sleptBefore: Duration

    /// A session for the camera `name`, off until a client asks.
    ///
    /// `quality` is for pictures that are compressed and for which none is asked. `tell` is called on any thread and under
    /// locks: it calls nothing back.
    package init(
        name: String,
        configuration: SessionConfiguration,
        quality: Int = StillRequest.defaultQuality,
        position: GeoPosition? = nil,
        overlay: OverlayStyle = OverlayStyle(),
        encoding: EncodingThreads,
        logger: Logger,
        clock: any MonotonicClock = .system,
        tell: @escaping EventSink = { _ in },
        open: @escaping Opener
    ) {
        self.quality = quality
        self.configuration = configuration
        controlState = ControlState(configured: configuration.controls)
        sleptBefore = clock.suspended()
        let hub = FrameHub(clock: clock, camera: name, tell: tell)
        hub.update { snapshot in
            snapshot.configuration = configuration
            snapshot.position = position
            snapshot.overlay = overlay
        }
        var logger = logger
        logger[metadataKey: "camera"] = "\(name)"
        let ring = configuration.ring.map { FrameRing($0, clock: clock) }
        let context = CameraContext(
            name: name,
            hub: hub,
            encoding: encoding,
            ring: ring,
            motion: configuration.motion,
            logger: logger,
            clock: clock,
            tell: tell,
            open: open
        )
        self.context = context
        thread = CameraThread(name: "tt-\(name)", wakeup: context.thread, clock: clock) { DeviceSide(context) }
        Task { [weak self] in
            while let next = await self?.turn() { await context.inbox.sleep(until: next.moment) }
        }
        context.inbox.wake()
    }

    // The owner ends a session before it lets go of it; this is for a session that was never used.
    deinit {
        thread.stop()
        context.inbox.wake()
    }

    /// When the next turn is due though nothing happens; no moment for never.
    private struct NextTurn {
        let moment: MonotonicTime?
    }

    /// Does what there is to do, one thing after the other; nil once the session has ended.
    private func turn() async -> NextTurn? {
        // Before the events: the failure that a sign of a device is for is among them.
        let isRetryAsked = context.inbox.takeRetry()
        await hear(context.inbox.takeEvents())
        retryAfterSuspend()
        endFlappingIfDue()
        attempt(ifAsked: isRetryAsked)
        await runCommands()
        if case .reopening(let moment) = phase, clock.now >= moment, isWanted || isLingering {
            await openDevice(keepsDemands: true)
        }
        await step()
        guard !phase.hasEnded else { return nil }
        // Before the next wake is reckoned, which is early enough for clients that have come meanwhile.
        hub.set(outlastsClients: outlastsClients)
        let wakes = [nextWake, recovery.flapping.end].compactMap(\.self)
        return NextTurn(moment: use.holds.nextEnd(orEarlier: wakes.min()))
    }

    /// Has `body` run on the camera's thread and returns what comes of it, however long the driver takes.
    func onThread<R: Sendable>(
        _ body: @escaping @Sendable (DeviceSide) throws(DeviceError) -> R
    ) async throws(DeviceError) -> R {
        let result = await thread.run { side in Result { () throws(DeviceError) in try body(side) } }
        guard let result else { throw .absent(path: name) }
        do throws(DeviceError) {
            return try result.get()
        } catch {
            throw error.naming(besides: name)
        }
    }

    // MARK: - Phases

    /// Closes the device on purpose, and goes to the phase after that once it is closed.
    func close() async {
        _ = await thread.run { $0.close() }
        await closed()
    }

    private func closed() async {
        // What else it has told of the stream that has just ended is of no interest any more.
        await hear(context.inbox.takeEvents().filter(\.isProgress))
        enter(.closes)
    }

    /// Goes to the phase that follows `event`, in the one place where phases change: what there was only in the one
    /// before ends, what is only in the new one is published.
    func enter(_ event: Phase.Event) {
        guard let next = phase.after(event) else {
            assertionFailure("the event \(event) in the phase \(phase.name)")
            return logger.error("an event that must not happen now", metadata: ["phase": "\(phase.name)"])
        }
        phase = next
        publishState()
        // A client that closes the camera expects that no picture of it is kept.
        let name = phase.state(by: clock).name
        if [.off, .failed].contains(name) {
            ring?.clear()
            context.endGap(at: clock.now)
        }
        if [.off, .failed, .interrupted].contains(name) { motion?.end() }
    }

    /// Publishes whether a stream that runs has settled, as far as a client waits for that.
    func showSettling(isAwaited: Bool) {
        guard phase.stream != nil else { return }
        phase.stream?.isSettlingAwaited = isAwaited
        publishState()
    }

    /// Changes when a closed device is tried again.
    func attempt(at moment: MonotonicTime) { phase.interruption?.nextAttempt = moment }

    /// Publishes the state, and logs it where it is another one than before.
    func publishState() {
        let (before, state) = (hub.snapshot.state.name, state)
        hub.enter(state)
        guard before != state.name else { return }
        logger.debug("the state has changed", metadata: ["from": "\(before.rawValue)", "to": "\(state.name.rawValue)"])
    }

    // MARK: - From what is to what is wanted

    /// Goes from what is to what is wanted.
    private func step() async {
        guard !phase.hasEnded else { return }
        expireHolds()
        if isWanted, phase.allowsAttempt(isInDemand: hub.isInDemand, now: clock.now) {
            if opensAtLargest { await openAtLargest() } else { await openDevice() }
        }
        await serveLargest()
        await closeIfIdle()
        await giveUpIfUnwanted()
    }

    /// Whether the device has to be open.
    var isWanted: Bool { use.keepsOpen(configuration.warmth) || hub.isAwaited }

    /// When the device is closed if no client asks before; nil for never.
    private var idleEnd: MonotonicTime? {
        guard phase.stream != nil, !hub.isInDemand else { return nil }
        return lingerEnd
    }

    /// Until when a device stays open that no client wants; nil for ever.
    private var lingerEnd: MonotonicTime? { linger.map { hub.lastUse + $0 } }

    /// Whether a device stays open now though no client wants it.
    private var isLingering: Bool { lingerEnd.map { clock.now < $0 } ?? true }

    /// For how long a device stays open that no client wants; nil for ever.
    private var linger: Duration? { use.lingering(configuration.warmth) }

    /// Whether a stream runs that stays for so long that to look for clients now and then is less work than to be woken by
    /// each.
    private var outlastsClients: Bool {
        guard let stream = phase.stream, !stream.isFullSize else { return false }
        return linger.map { $0 >= .seconds(1) } ?? true
    }

    /// When something is due though no frame comes; nil for never.
    private var nextWake: MonotonicTime? {
        switch phase {
        case .streaming(let stream):
            if stream.isFullSize { return stream.began + FullSizeRule.longest }
            return idleEnd ?? (outlastsClients ? linger.map { clock.now + $0 } : nil)
        case .reopening(let moment): return moment
        // For who has come while it was closed, and could not know that it would be.
        case .off: return hub.isAwaited ? clock.now : nil
        case .opening, .interrupted, .failed, .ended:
            // A demand that came right after a failure.
            let soon =
                hub.isInDemand
                ? max(clock.now + RetrySchedule.untilReady, phase.interruption?.earliest ?? clock.now)
                : nil as MonotonicTime?
            guard isWanted, let nextAttempt = phase.interruption?.nextAttempt else { return soon }
            return soon.map { min($0, nextAttempt) } ?? nextAttempt
        }
    }

    func closeIfIdle() async {
        guard let idleEnd, clock.now >= idleEnd else { return }
        if await thread.run({ $0.closeIfUnused() }) == true { await closed() }
    }

    /// No client waits for the next attempt any more: there will be none.
    ///
    /// A camera whose source has changed lingers as an open one does.
    private func giveUpIfUnwanted() async {
        guard !isWanted else { return }
        switch phase {
        case .interrupted:
            // One whose signal was awaited is open.
            _ = await thread.run { $0.close() }
            enter(.givesUp)
        case .reopening where !isLingering: enter(.givesUp)
        case .off, .opening, .streaming, .reopening, .failed, .ended: break
        }
    }
}

/// What it shares with its camera's thread, by the names that its parts use.
extension CaptureSession {
    /// The camera's name.
    package nonisolated var name: String { context.name }
    /// Where its frames are handed out.
    package nonisolated var hub: FrameHub { context.hub }
    /// The driver call that its camera's thread is in.
    package nonisolated var calls: DriverCalls { context.calls }
    /// Its camera's thread as a watchdog asks it.
    package nonisolated var heartbeat: Heartbeat { thread.heartbeat("the thread of the camera \(name)", calls) }
    /// What its pictures always have wrong.
    package nonisolated var quirks: QuirkMemory { context.quirks }
    /// Its past, if it keeps any.
    package nonisolated var ring: FrameRing? { context.ring }
    /// What watches it for motion; nil for nothing.
    package nonisolated var motion: MotionWatch? { context.motion }
    /// The threads that make pictures of its frames.
    package nonisolated var encoding: EncodingThreads { context.encoding }
    nonisolated var logger: Logger { context.logger }
    /// By which it goes.
    package nonisolated var clock: any MonotonicClock { context.clock }
}
