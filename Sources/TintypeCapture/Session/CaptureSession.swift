// SPDX-License-Identifier: Apache-2.0
package import Logging
internal import Synchronization
package import TintypeDevice
package import TintypeModel
internal import TintypeThreads

/// Owns one camera: opens it when frames are wanted, pumps them, and brings it back after a failure.
///
/// All of its code runs on the camera's own thread, step by step and without suspending. No task awaits it: commands
/// are posted and answered by a ``Reply``, everything else is in the hub's snapshot. So a call that hangs in the driver
/// hangs this thread and nothing else.
package actor CaptureSession {
    /// Opens the device; called on the session's thread, from zero each time.
    package typealias Opener = @Sendable (DriverCalls) throws(DeviceError) -> sending any CaptureDevice

    /// The camera's name.
    package nonisolated let name: String
    /// The JPEG quality of pictures that are compressed here and for which none is asked.
    package nonisolated let quality: Int
    /// Where its frames are handed out.
    package nonisolated let hub: FrameHub
    /// The driver call that it is in.
    package nonisolated let calls = DriverCalls()
    nonisolated let thread: DeviceThread
    nonisolated let commands = Mutex<[SessionCommand]>([])
    /// Refuses the answers that are waited for, by their replies.
    nonisolated let asked = Mutex<[ObjectIdentifier: @Sendable (Problem) -> Void]>([:])
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    let open: Opener
    nonisolated let encoding: EncodingThreads
    /// Its past, if it keeps any.
    nonisolated let ring: FrameRing?
    let logger: Logger
    /// What its pictures always have wrong.
    package nonisolated let quirks = QuirkMemory()
    /// The frames that were looked at last.
    nonisolated let looks = RecentLooks()
    /// Whether it was logged that the driver call hangs that it is in.
    nonisolated let isKnownStuck = Atomic(false)
    /// How long the machine has been suspended since it booted.
    nonisolated let asleep: @Sendable () -> Duration

    var configuration: SessionConfiguration
    /// What it is doing; the hub's snapshot says it as well, for everybody else.
    private(set) var phase = Phase.off
    /// What keeps the device open though no client waits.
    var use = CameraUse()
    /// What is done about failures.
    var recovery = Recovery()
    var controlState: ControlState
    /// When the last frame came of the stream that is interrupted for stills of the largest size; nil where none is.
    var gapBegan: MonotonicTime?
    /// How many streams have been started.
    var streamCount: UInt64 = 0
    /// How long the machine had been suspended when that was last looked at.
    var sleptBefore: Duration

    /// A session for the camera `name`, off until a client asks.
    ///
    /// - Parameters:
    ///   - name: the camera's name.
    ///   - configuration: how it is to run.
    ///   - quality: the JPEG quality of pictures that are compressed and for which none is asked.
    ///   - position: where the camera stands; nil if that is not known.
    ///   - overlay: how texts are written into its pictures.
    ///   - encoding: the threads that encode its frames.
    ///   - waiting: the places for clients that wait for frames of all cameras.
    ///   - logger: where its trouble is told.
    ///   - asleep: how long the machine has been suspended since it booted.
    ///   - open: opens the device.
    package init(
        name: String,
        configuration: SessionConfiguration,
        quality: Int = StillRequest.defaultQuality,
        position: GeoPosition? = nil,
        overlay: OverlayStyle = OverlayStyle(),
        encoding: EncodingThreads,
        waiting: WaitingRoom = WaitingRoom(),
        logger: Logger,
        asleep: @escaping @Sendable () -> Duration = MonotonicTime.suspended,
        open: @escaping Opener
    ) {
        self.name = name
        self.quality = quality
        self.configuration = configuration
        controlState = ControlState(configured: configuration.controls)
        self.encoding = encoding
        ring = configuration.ring.map(FrameRing.init)
        self.open = open
        self.asleep = asleep
        sleptBefore = asleep()
        hub = FrameHub(room: WaitingRoom(of: name, within: waiting), asleep: asleep)
        hub.update { snapshot in
            snapshot.configuration = configuration
            snapshot.position = position
            snapshot.overlay = overlay
        }
        var logger = logger
        logger[metadataKey: "camera"] = "\(name)"
        self.logger = logger
        thread = DeviceThread(name: "tt-\(name)")
        hub.updateWarmth { $0.warmth = configuration.warmth }
        thread.setHandler { [weak self] wake in self?.handleOnThread(wake) }
        thread.wake()
    }

    // The owner ends a session before it lets go of it; this is for a session that was never used.
    deinit { thread.stop() }

    /// As `assumeIsolated`, which makes two boxes on the heap at each call: 60 a second for an unused camera.
    private nonisolated func handleOnThread(_ wake: DeviceThread.Wake) {
        thread.checkIsolated()
        Self.handler.handle(self, wake)
    }

    private struct Handler: Sendable {
        let handle: @Sendable (CaptureSession, DeviceThread.Wake) -> Void
    }

    private static let handler: Handler = {
        let isolated: @Sendable (isolated CaptureSession, DeviceThread.Wake) -> Void = { $0.handle($1) }
        return unsafe Handler(
            handle: unsafeBitCast(isolated, to: (@Sendable (CaptureSession, DeviceThread.Wake) -> Void).self)
        )
    }()

    /// What happens at every wake of the thread.
    private func handle(_ wake: DeviceThread.Wake) {
        reportReturn()
        // After a suspend, what poll(2) said was of the device from before.
        if !reopenAfterSuspend(), phase.stream != nil {
            if case .ready(let events) = wake { pump(events) } else { pump(0) }
        }
        runCommands()
        if case .reopening(let moment) = phase, MonotonicTime.now() >= moment,
            isWanted || lingerEnd.map({ .now() < $0 }) ?? true
        {
            openDevice(keepsDemands: true)
        }
        step()
    }

    // MARK: - Phases

    /// Goes to the phase that follows `event`, in the one place where phases change: what there was only in the one
    /// before ends, what is only in the new one is published.
    func enter(_ event: Phase.Event) {
        guard let next = phase.after(event) else {
            assertionFailure("the event \(event) in the phase \(phase.name)")
            return logger.error("an event that must not happen now", metadata: ["phase": "\(phase.name)"])
        }
        let before = phase.state.name
        if let stream = phase.stream { end(stream) }
        phase = next
        publishState(after: before)
        // A client that closes the camera expects that no picture of it is kept.
        if [.off, .failed].contains(phase.state.name) {
            ring?.clear()
            endGap(at: .now())
        }
    }

    /// Publishes whether a stream that runs has settled, as far as a client waits for that.
    func showSettling(isAwaited: Bool) {
        guard let stream = phase.stream, stream.isSettlingAwaited != isAwaited else { return }
        let before = phase.state.name
        stream.isSettlingAwaited = isAwaited
        publishState(after: before)
    }

    /// Changes when a closed device is tried again.
    func attempt(at moment: MonotonicTime) { phase.interruption?.nextAttempt = moment }

    /// Publishes the state, and logs it where it is another one than `before`.
    private func publishState(after before: SessionState.Name) {
        let state = phase.state
        hub.enter(state, at: .now())
        guard before != state.name else { return }
        logger.debug("the state has changed", metadata: ["from": "\(before.rawValue)", "to": "\(state.name.rawValue)"])
    }

    // MARK: - From what is to what is wanted

    /// Goes from what is to what is wanted, and sets the next wake.
    private func step() {
        guard !phase.hasEnded else { return }
        expireHolds()
        if isWanted, phase.allowsAttempt(isInDemand: hub.isInDemand, now: .now()) {
            if opensAtLargest { openAtLargest() } else { openDevice() }
        }
        serveLargest()
        if let stream = phase.stream {
            hub.admit(after: stream.last, seenEmptyAt: stream.progress.emptiedAt)
            takeLook()
            serveHeldFrame()
            lookAtHeldFrame()
            readExposureIfDue()
            checkForStall()
        }
        closeIfIdle()
        watchControlsIfDue()
        giveUpIfUnwanted()
        thread.setDeadline(use.holds.nextEnd(orEarlier: nextWake))
    }

    /// Whether the device has to be open.
    var isWanted: Bool { use.keepsOpen(configuration.warmth) || hub.isAwaited }

    /// When the device is closed if no client asks before; nil for never.
    private var idleEnd: MonotonicTime? {
        guard phase.stream != nil, !hub.isInDemand else { return nil }
        return lingerEnd
    }

    /// Until when a device stays open that no client wants; nil for ever.
    private var lingerEnd: MonotonicTime? { use.lingering(configuration.warmth).map { hub.lastUse + $0 } }

    /// When something is due though no frame comes; nil for never.
    private var nextWake: MonotonicTime? {
        switch phase {
        case .streaming(let stream):
            var wake = stream.stall.end
            if let watchTime { wake = min(wake, watchTime) }
            if let limit = hub.nextSettleLimit(after: .now()) { wake = min(wake, limit) }
            if let idleEnd { wake = min(wake, idleEnd) }
            return wake
        case .reopening(let moment): return moment
        case .off, .opening, .interrupted, .failed, .ended:
            // A demand that came right after a failure.
            let soon = hub.isInDemand ? .now() + RetrySchedule.untilReady : nil as MonotonicTime?
            guard isWanted, let nextAttempt = phase.interruption?.nextAttempt else { return soon }
            return soon.map { min($0, nextAttempt) } ?? nextAttempt
        }
    }

    func closeIfIdle() {
        guard let idleEnd, MonotonicTime.now() >= idleEnd else { return }
        enter(.closes)
    }

    /// No client waits for the next attempt any more: there will be none.
    private func giveUpIfUnwanted() {
        guard !isWanted else { return }
        switch phase {
        case .interrupted, .reopening: enter(.givesUp)
        case .off, .opening, .streaming, .failed, .ended: break
        }
    }
}
