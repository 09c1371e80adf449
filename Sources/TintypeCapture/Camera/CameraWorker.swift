// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// The camera's thread: owns the open device and makes all driver calls.
///
/// Hands frames directly to the clients in the dispatcher. Sends ``CameraEvent``s to the session, which decides when the
/// device is opened and closed.
final class CameraWorker: ThreadOwned {
    let context: CameraContext
    var camera: OpenCamera?
    /// A device without input signal, open without a stream to receive `V4L2_EVENT_SOURCE_CHANGE`.
    private var silent: (any CaptureDevice)?
    var shutter = PrivacyShutter()
    /// Unaccepted control settings that were last logged.
    var lastUnfulfilled: [ControlOutcome] = []
    /// Total suspend time of the machine at the last check.
    var sleptBefore: Duration

    var clock: any MonotonicClock { context.clock }
    var dispatcher: FrameDispatcher { context.dispatcher }
    var published: PublishedState { context.published }
    var logger: Logger { context.logger }

    init(_ context: CameraContext) {
        self.context = context
        sleptBefore = context.clock.suspended()
    }

    var descriptor: CInt { (camera?.device ?? silent)?.descriptor ?? -1 }

    var awaited: Int16 { Int16(camera == nil ? POLLPRI : POLLIN | POLLPRI) }

    var deadline: MonotonicTime? {
        guard let camera else { return nil }
        var end = camera.stall.end
        if let watchTime { end = min(end, watchTime) }
        if let limit = dispatcher.settlingNeed(at: clock.now).limit { end = min(end, limit) }
        return end
    }

    func turn(_ events: Int16, asleepSince asleep: MonotonicTime) {
        context.reportReturn()
        if events != 0 { hearSource() }
        guard camera != nil, !closeAfterSuspend() else { return }
        pump(events, asleepSince: asleep)
        admitWaiting()
        takeLook()
        serveHeldFrame()
        lookAtHeldFrame()
        watchForMotion()
        readCameraIfDue()
        checkForStall()
        watchControlsIfDue()
    }

    /// Offers future frames to clients that asked before the queue was last seen empty.
    func admitWaiting() {
        guard let camera else { return }
        dispatcher.state.withLock { $0.admit(after: camera.last, seenEmptyAt: camera.emptiedAt) }
    }

    /// Closes the device after a system suspend, so that the session reopens it; returns true if it was closed.
    ///
    /// The driver's queue then holds frames of unknown age, since `CLOCK_MONOTONIC` stands still during a suspend and
    /// `CLOCK_BOOTTIME` does not (clock_gettime(2)).
    private func closeAfterSuspend() -> Bool {
        let total = clock.suspended()
        let slept = total - exchange(&sleptBefore, with: total)
        guard slept > FrameDispatcher.nap, let camera else { return false }
        context.ring?.clear()
        close()
        context.mailbox.tell(CameraEvent(stream: camera.number, what: .suspended(slept)))
        return true
    }

    /// Fails the device if it stays silent for longer than the limit, or after a run of damaged frames.
    private func checkForStall() {
        guard let camera else { return }
        // Judge at the time of the last empty queue: a slow call on this thread is not silence of the camera.
        let (device, now) = (camera.device, camera.emptiedAt)
        switch camera.stall.finding(now: now) {
        case nil: return
        case .damaged: fail(.damaged(path: device.identity.path), keepsDemands: true)
        case .silent:
            let exposure = device.exposureTime()
            if camera.stall.allow(interval: camera.granted.format.interval?.duration, exposure: exposure) {
                let limit = camera.stall.limit
                published.update { $0.stallLimit = limit }
                dispatcher.state.withLock { $0.stallLimit = limit }
            }
            guard camera.stall.finding(now: now) == .silent else { return }
            fail(.silent(path: device.identity.path, isFirst: camera.stall.awaitsFirstFrame), keepsDemands: true)
        }
    }

    // MARK: - Waiting for a signal

    var awaitsSignal: Bool { silent != nil }

    /// Keeps a device without input signal open if it reports source changes.
    func awaitSignal(of device: any CaptureDevice) { if device.tellsSourceChanges { silent = device } }

    /// Handles an event or poll(2) error of the device whose signal is awaited: closes it, so that the session reopens
    /// it, unless the events are about something else.
    private func hearSource() {
        guard let silent else { return }
        let events = try? silent.events()
        if let events, !events.isEmpty, !events.contains(.sourceChanged) { return }
        close()
        context.mailbox.tell(CameraEvent(stream: nil, what: .sourceChanged))
    }

    // MARK: - Opening and closing

    /// Ends the stream and closes the device, if open; frames that clients already have stay valid.
    func close() {
        silent = nil
        guard let camera = camera.take() else { return }
        // Before the camera ends: a frame that is still lent would be copied for nobody.
        dispatcher.forgetFrames()
        if let tracker = camera.settling.tracker, tracker.hasSeenFirst, !tracker.isSettled {
            published.updateWarmth { $0.settling.addFailure() }
        }
    }

    /// Closes the device if no client waits for it; returns true if no device is open afterwards.
    func closeIfUnused() -> Bool {
        guard camera == nil || !dispatcher.need.isInDemand else { return false }
        close()
        return true
    }

    /// Closes the device to interrupt its stream after the last good frame; returns false if a burst has begun
    /// meanwhile or the device has failed.
    func closeForGap() -> Bool {
        guard let camera, !dispatcher.need.isInBurst else { return false }
        context.gaps.begin(at: camera.stall.lastGood)
        close()
        return true
    }

    /// Closes the failed device and informs the session.
    func fail(_ error: DeviceError, keepsDemands: Bool = false) {
        guard let number = camera?.number else { return }
        close()
        context.mailbox.tell(CameraEvent(stream: number, what: .failed(error, keepsDemands: keepsDemands)))
    }

    func tell(_ what: CameraEvent.What) {
        if let camera { context.mailbox.tell(CameraEvent(stream: camera.number, what: what)) }
    }
}
