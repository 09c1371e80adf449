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
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    let open: Opener
    nonisolated let encoding: EncodingThreads
    /// Its past, if it keeps any.
    nonisolated let ring: FrameRing?
    let logger: Logger
    var configuration: SessionConfiguration
    var isStarted = false
    /// Stopped by command: even a hot camera stays closed until a client asks.
    var isStopped = false
    var isEnding = false
    /// Stills of the largest size.
    var excursion = Excursion()
    /// Who keeps the device open, and until when.
    var holds = HoldTable()

    /// What the hub's snapshot says as well; kept here so that a frame need not copy that.
    var state = SessionState.off
    var device: (any CaptureDevice)?
    var granted: GrantedFormat?
    /// What its frames have to go through before they are encoded.
    var converter: SharedConverter?
    var stream: UInt64 = 0
    var taken: UInt64 = 0
    var held: FrameLease?
    var shared: CapturedPicture?
    var hasFewBuffers = false
    let leases = LeaseCount()
    /// What its pictures always have wrong.
    package nonisolated let quirks = QuirkMemory()
    var lastArrival = MonotonicTime(nanoseconds: 0)
    /// Silence for longer is a stall.
    var stallLimit = CaptureSession.stallLimit(nil, exposure: nil)
    /// When the last frame came that was whole, as far as the driver tells.
    var lastGood = MonotonicTime(nanoseconds: 0)
    /// When the driver's queue began to be emptied the last time: what came before is among the ``taken``.
    var emptiedAt = MonotonicTime(nanoseconds: 0)

    /// What tells whether exposure and white balance have settled.
    var settleWork = SettleWork()
    /// The frames that were looked at last.
    nonisolated let looks = RecentLooks()

    var controlState: ControlState
    var retry = RetrySchedule()
    var nextAttempt: MonotonicTime?
    var lastReason: Problem?
    /// When the device last told that its source has changed.
    var sourceChangedAt: MonotonicTime?
    /// The source has changed and the device was closed for that: it is to be opened at once.
    var isToReopen = false
    /// The trouble that it is in; nil while frames come.
    var outage: Outage?
    /// Whether it was logged that the driver call hangs that it is in.
    nonisolated let isKnownStuck = Atomic(false)
    /// How long the machine has been suspended since it booted.
    nonisolated let asleep: @Sendable () -> Duration
    /// The same when it was last looked at.
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
        thread.ring()
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
        noteReturn()
        if reopenAfterSuspend() {
            // What poll(2) said was of the device from before.
        } else if case .ready(let events) = wake {
            pump(events)
        } else if granted != nil, device != nil {
            pump(0)
        }
        reopenAfterChange()
        runCommands()
        step()
    }

    /// Goes from what is to what is wanted, and sets the next wake.
    private func step() {
        guard !isEnding else { return }
        expireHolds()
        if device == nil, isWanted, isAttemptDue { if opensAtLargest { openAtLargest() } else { openDevice() } }
        if device != nil { serveLargest() }
        if device != nil {
            hub.admit(after: FrameKey(stream: stream, ordinal: taken), seenEmptyAt: emptiedAt)
            takeLook()
            serveHeldFrame()
            lookAtHeldFrame()
            readExposureIfDue()
            checkForStall()
        }
        closeIfIdle()
        watchControlsIfDue()
        giveUpIfUnwanted()
        thread.setDeadline(holds.nextEnd(orEarlier: nextWake))
    }

    /// Whether the device has to be open.
    var isWanted: Bool {
        (configuration.warmth == .hot && !isStopped) || isStarted || !holds.isEmpty || hub.isAwaited
    }

    /// Retry at once when a client asks, but not at every request.
    private var isAttemptDue: Bool {
        guard let nextAttempt else { return true }
        if MonotonicTime.now() >= nextAttempt { return true }
        guard hub.isInDemand, let since = interruptedSince else { return false }
        return MonotonicTime.now() - since >= RetrySchedule.untilReady
    }

    /// When the last attempt failed.
    var interruptedSince: MonotonicTime?

    /// How long a camera without clients stays open; nil for ever.
    var lingering: Duration? {
        guard !isStarted, holds.isEmpty else { return nil }
        return switch configuration.warmth {
        case .hot: nil
        case .linger(let time): time
        case .cold: .zero
        }
    }

    /// When something is due though no frame comes; nil for never.
    private var nextWake: MonotonicTime? {
        guard device == nil else {
            var wake = lastArrival + stallLimit
            if let watchTime { wake = min(wake, watchTime) }
            if let limit = hub.nextSettleLimit(after: .now()) { wake = min(wake, limit) }
            if let lingering, !hub.isInDemand { wake = min(wake, hub.lastUse + lingering) }
            return wake
        }
        // A demand that came right after a failure.
        let soon = hub.isInDemand ? .now() + RetrySchedule.untilReady : nil as MonotonicTime?
        guard isWanted, let nextAttempt else { return soon }
        return soon.map { min($0, nextAttempt) } ?? nextAttempt
    }

    func closeIfIdle() {
        guard device != nil, let lingering, !hub.isInDemand, MonotonicTime.now() >= hub.lastUse + lingering else {
            return
        }
        closeDevice()
        enter(.off)
    }

    /// No client waits for the next attempt any more: there will be none.
    private func giveUpIfUnwanted() {
        guard device == nil, !isWanted else { return }
        switch state {
        case .interrupted(let reason, _, _): enter(.failed(reason: reason))
        case .opening: enter(.off)
        case .off, .settling, .running, .failed: break
        }
    }
}
