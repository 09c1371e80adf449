// SPDX-License-Identifier: Apache-2.0
package import Logging
internal import Synchronization
package import TintypeDevice
package import TintypeModel
package import TintypeSystem

/// Owns one camera: decides when it is opened and closed, and recovers it after a failure.
///
/// An actor with one task that runs turn after turn and awaits the camera's thread. It makes no driver calls itself
/// (``CameraWorker`` does) and never blocks. Commands are answered by a ``Reply``; everything else is published in the
/// dispatcher's snapshot.
package actor CaptureSession {
    /// Opens the device, on the camera's thread, anew each time.
    package typealias Opener = @Sendable (DriverCalls) throws(DeviceError) -> sending any CaptureDevice

    package nonisolated let quality: Int
    nonisolated let context: CameraContext
    nonisolated let thread: CameraThread<CameraWorker>

    var configuration: SessionConfiguration
    /// Current phase; published as ``SessionSnapshot/state``.
    var phase = Phase.off
    var use = CameraUse()
    var recovery = Recovery()
    var controlState: ControlState
    var streamCount: UInt64 = 0
    /// Total suspend time of the machine at the last check.
    var sleptBefore: Duration

    /// Creates a session, with the camera off until the first request; `quality` is the default for compressed
    /// pictures; `tolerances` has the faults learned before; `tell` is called on any thread and under locks, and must
    /// not call back.
    package init(
        name: String,
        configuration: SessionConfiguration,
        quality: Int = StillRequest.defaultQuality,
        position: GeoPosition? = nil,
        overlay: OverlayStyle = OverlayStyle(),
        encoding: EncodingThreads,
        logger: Logger,
        clock: any MonotonicClock = .system,
        tolerances: ToleranceBook = ToleranceBook(),
        tell: @escaping EventSink = { _ in },
        open: @escaping Opener
    ) {
        self.quality = quality
        self.configuration = configuration
        controlState = ControlState(configured: configuration.controls)
        sleptBefore = clock.suspended()
        let dispatcher = FrameDispatcher(clock: clock, camera: name, tell: tell)
        dispatcher.published.update { snapshot in
            snapshot.configuration = configuration
            snapshot.position = position
            snapshot.overlay = overlay
        }
        var logger = logger
        logger[metadataKey: "camera"] = "\(name)"
        let ring = configuration.ring.map { FrameRing($0, clock: clock) }
        let context = CameraContext(
            name: name,
            dispatcher: dispatcher,
            encoding: encoding,
            ring: ring,
            motion: configuration.motion,
            logger: logger,
            clock: clock,
            tolerances: tolerances,
            tell: tell,
            open: open
        )
        self.context = context
        thread = CameraThread(name: "tt-\(name)", wakeup: context.thread, clock: clock) { CameraWorker(context) }
        Task { [weak self] in
            while let next = await self?.turn() { await context.mailbox.sleep(until: next.moment) }
        }
        context.mailbox.wake()
    }

    // The owner ends a used session before releasing it; this is for one that was never used.
    deinit {
        thread.stop()
        context.mailbox.wake()
    }

    /// Time of the next turn without events; nil for never.
    private struct NextTurn { let moment: MonotonicTime? }

    /// One turn of the session; nil after its end.
    private func turn() async -> NextTurn? {
        // Before the events: they include the failure that the retry is for.
        let isRetryAsked = context.mailbox.takeRetry()
        await hear(context.mailbox.takeEvents())
        retryAfterSuspend()
        endFlappingIfDue()
        attempt(ifAsked: isRetryAsked)
        await runCommands()
        if case .reopening(let moment) = phase, clock.now >= moment, isWanted || isLingering {
            await openDevice(keepsDemands: true)
        }
        await step()
        guard !phase.hasEnded else { return nil }
        // Before computing the next wake-up, early enough for clients that arrived meanwhile.
        dispatcher.state.withLock { [outlastsClients] in $0.outlastsClients = outlastsClients }
        let wakes = [nextWake, recovery.flapping.end, use.holds.nextEnd].compactMap(\.self)
        return NextTurn(moment: wakes.min())
    }

    /// Runs `body` on the camera's thread and returns its result, however long the driver takes.
    func onThread<R: Sendable>(
        _ body: @escaping @Sendable (CameraWorker) throws(DeviceError) -> R
    ) async throws(DeviceError) -> R {
        do throws(ResourceError) { try thread.start() } catch { throw DeviceError(error, path: name) }
        let result = await thread.run { side in Result { () throws(DeviceError) in try body(side) } }
        guard let result else { throw .absent(path: name) }
        do throws(DeviceError) {
            return try result.get()
        } catch {
            throw error.naming(besides: name)
        }
    }

    // MARK: - Phases

    func close() async {
        _ = await thread.run { $0.close() }
        await closed()
    }

    private func closed() async {
        // Ignore all other events of the stream that has just ended.
        await hear(context.mailbox.takeEvents().filter(\.isProgress))
        enter(.closes)
    }

    /// The only place where phases change: enters the phase after `event`, publishes it and ends what the old one had.
    func enter(_ event: Phase.Event) {
        guard let next = phase.after(event) else {
            assertionFailure("the event \(event) in the phase \(phase.name)")
            return logger.error("unexpected event", metadata: ["phase": "\(phase.name)"])
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

    func showSettling(isAwaited: Bool) {
        guard phase.stream != nil else { return }
        phase.stream?.isSettlingAwaited = isAwaited
        publishState()
    }

    func attempt(at moment: MonotonicTime) { phase.interruption?.nextAttempt = moment }

    /// Publishes the state, and logs changes.
    func publishState() {
        let (before, state) = (published.snapshot.state.name, state)
        published.enter(state)
        guard before != state.name else { return }
        logger.debug("the state has changed", metadata: ["from": "\(before.rawValue)", "to": "\(state.name.rawValue)"])
    }

    private func step() async {
        guard !phase.hasEnded else { return }
        expireHolds()
        if isWanted, phase.allowsAttempt(isUrgent: dispatcher.need.isUrgent, now: clock.now) {
            if opensAtLargest { await openAtLargest() } else { await openDevice() }
        }
        await serveLargest()
        await closeIfIdle()
        await giveUpIfUnwanted()
    }

    /// True if the device must be open.
    var isWanted: Bool { use.keepsOpen(configuration.warmth) || dispatcher.need.isAwaited }

    /// Time at which an idle device is closed; nil for never.
    private var idleEnd: MonotonicTime? {
        guard phase.stream != nil, !dispatcher.need.isInDemand else { return nil }
        return lingerEnd
    }

    /// End of lingering after the last use; nil for never.
    private var lingerEnd: MonotonicTime? { linger.map { dispatcher.lastUse + $0 } }

    private var isLingering: Bool { lingerEnd.map { clock.now < $0 } ?? true }

    /// Time that an unused device stays open; nil for ever.
    private var linger: Duration? { use.lingering(configuration.warmth) }

    /// True if the stream lingers for so long that polling for clients is cheaper than a wake-up by each.
    private var outlastsClients: Bool {
        guard let stream = phase.stream, !stream.isFullSize else { return false }
        return linger.map { $0 >= .seconds(1) } ?? true
    }

    /// Time of the next action without an event; nil for never.
    private var nextWake: MonotonicTime? {
        switch phase {
        case .streaming(let stream):
            if stream.isFullSize { return stream.began + FullSizeRule.longest }
            return idleEnd ?? (outlastsClients ? linger.map { clock.now + $0 } : nil)
        case .reopening(let moment): return moment
        // Serve clients that came just before the device was closed.
        case .off: return dispatcher.need.isAwaited ? clock.now : nil
        case .opening, .interrupted, .failed, .ended:
            // A client that came right after a failure.
            let soon =
                dispatcher.need.isUrgent
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

    /// Gives up retrying once no client waits; a camera closed for a source change lingers as an open one does.
    private func giveUpIfUnwanted() async {
        guard !isWanted else { return }
        switch phase {
        case .interrupted:
            // The device is open if its signal was awaited.
            _ = await thread.run { $0.close() }
            enter(.givesUp)
        case .reopening where !isLingering: enter(.givesUp)
        case .off, .opening, .streaming, .reopening, .failed, .ended: break
        }
    }
}

extension CaptureSession {
    package nonisolated var name: String { context.name }
    package nonisolated var dispatcher: FrameDispatcher { context.dispatcher }
    package nonisolated var published: PublishedState { context.published }
    package nonisolated var calls: DriverCalls { context.calls }
    package nonisolated var heartbeat: Heartbeat { thread.heartbeat("the thread of the camera \(name)", calls) }
    package nonisolated var knownFaults: KnownFaults { context.knownFaults }
    package nonisolated var ring: FrameRing? { context.ring }
    package nonisolated var motion: MotionWatch? { context.motion }
    package nonisolated var encoding: EncodingThreads { context.encoding }
    nonisolated var logger: Logger { context.logger }
    package nonisolated var clock: any MonotonicClock { context.clock }
}
